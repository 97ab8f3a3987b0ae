//! The agent against a scripted model.

use scripted_model::release_notes;

#[test]
fn it_loads_a_skill_once_and_reads_its_file() {
    release_notes::loads_a_skill_once_and_reads_its_file(env!("CARGO_BIN_EXE_agent-with-async-openai"));
}
