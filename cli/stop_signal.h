#pragma once

namespace tp::cli {

// From the first call on, Ctrl-C, a polite kill, the end of the terminal or of the reader of the
// output no longer ends the program but is noted. The second one ends it. What was ignored, as with
// nohup, stays ignored.
void watch_for_stop();

// The number of the signal that was noted; 0: none.
int stop_signal();

}  // namespace tp::cli
