// pixman.h includes this by name. Its path from pkg-config would come with a path of libraries, before that of
// Sources/mulliond/link.
#pragma once
#include <pixman-1/pixman-version.h>
