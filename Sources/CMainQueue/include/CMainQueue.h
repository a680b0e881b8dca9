// The interface through which an event loop serves libdispatch's main queue. libdispatch exports these functions for
// run loops but declares them in no public header.

#pragma once

/// An eventfd that is readable while the main queue has work. Only for the main thread.
int _dispatch_get_main_queue_handle_4CF(void);

/// Runs the work that the main queue has. Only for the main thread, and not from such work.
void _dispatch_main_queue_callback_4CF(void *ignored);
