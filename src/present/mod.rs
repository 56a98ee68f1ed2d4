//! Values made into rows: text with tones, wrapped and sanitised, without a terminal.
