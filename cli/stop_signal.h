#pragma once

namespace tp::cli {

// From the first call on, Ctrl-C (and a polite kill) no longer ends the program but is noted. The
// second one ends it.
void watch_for_stop();
bool stop_requested();

}  // namespace tp::cli
