// Functions that can't be handlers, each with its error; a valid one has none.
use skills_handlers::{Context, Failure};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Input {}

#[skills_handlers::handler(skill = "pdf-form" in "ui/skills-good")]
fn unknown_skill(_: Input) -> Result<(), Failure> {
    Ok(())
}

#[skills_handlers::handler]
fn no_skill(_: Input) -> Result<(), Failure> {
    Ok(())
}

#[skills_handlers::handler(skill = "csv" in "ui/skills-good", colour = "red")]
fn unknown_option(_: Input) -> Result<(), Failure> {
    Ok(())
}

#[skills_handlers::handler(skill = "csv" in "ui/skills-good", timeout = "10 hours")]
fn wrong_time(_: Input) -> Result<(), Failure> {
    Ok(())
}

#[skills_handlers::handler(skill = "csv" in "ui/skills-good", examples = ["{", "[]"])]
fn wrong_example(_: Input) -> Result<(), Failure> {
    Ok(())
}

#[skills_handlers::handler(skill = "csv" in "ui/skills-good")]
fn too_many(_: Input, _: Context, _: u8) -> Result<(), Failure> {
    Ok(())
}

#[skills_handlers::handler(skill = "csv" in "ui/skills-good")]
fn generic<T>(_: Input) -> Result<(), Failure> {
    Ok(())
}

#[skills_handlers::handler(skill = "csv" in "ui/skills-good")]
fn nothing(_: Input) {}

#[skills_handlers::handler(skill = "csv" in "ui/skills-good")]
fn no_result(_: Input) -> u8 {
    7
}

#[skills_handlers::handler(skill = "csv" in "ui/skills-good")]
async fn right(_: &Input, _: &Context) -> Result<u8, Failure> {
    Ok(7)
}

fn main() {
    let _ = right::binding();
    let _ = unknown_skill::binding();
}
