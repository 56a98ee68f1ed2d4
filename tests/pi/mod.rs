//! Questions put to the real pi, answered by this program and compared.
//!
//! A question is a list of arguments for `tests/oracle/oracle.mjs`. [`differences`] answers it with the commands of
//! this program and says where pi's answer is another.

pub(crate) mod ask;
pub(crate) mod diff;
pub(crate) mod folder;
pub(crate) mod ours;

use serde_json::Value;

/// Reads JSON of any depth.
pub(crate) fn parse(text: &str) -> Value {
    use serde::Deserialize;
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).unwrap_or_else(|error| panic!("{error} in {text}"))
}
