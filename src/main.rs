//! The program: reads its arguments and hands over to a command or the screen.

fn main() {}
