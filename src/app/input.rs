use super::Key;

/// What comes from the person at the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed, or repeats while it is held.
    Key(Key),
    /// Something happened with the mouse.
    Mouse(Mouse),
    /// Text was pasted. It is as it came: line breaks and control characters are still in it.
    Paste(String),
    /// The screen has a new size in cells.
    Resize {
        /// Columns.
        columns: u16,
        /// Rows.
        rows: u16,
    },
    /// The terminal window got the focus, after which the files may be others than before.
    FocusGained,
    /// It lost the focus.
    FocusLost,
}

/// One event of the mouse, at a cell counted from the top left corner from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    /// What happened.
    pub kind: MouseKind,
    /// Where: the column.
    pub column: u16,
    /// Where: the row.
    pub row: u16,
}

/// What happened with the mouse. Movement without a pressed button is never reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseKind {
    /// A button went down.
    Press(Button),
    /// The mouse moved while a button was down.
    Drag(Button),
    /// A button went up.
    Release(Button),
    /// The wheel turned by one notch, away from the person.
    ScrollUp,
    /// The wheel turned by one notch, towards the person.
    ScrollDown,
    /// The wheel was tilted, or the pad swiped, to the left.
    ScrollLeft,
    /// The wheel was tilted, or the pad swiped, to the right.
    ScrollRight,
}

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// The main button.
    Left,
    /// The middle button or the pressed wheel.
    Middle,
    /// The other button.
    Right,
}
