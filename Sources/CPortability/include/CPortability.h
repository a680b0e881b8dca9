// Nothing to call: see glibc.c.
#pragma once
