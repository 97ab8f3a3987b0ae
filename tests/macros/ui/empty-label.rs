// A label is the origin of skills, so a model and a user read it.
static SKILLS: skills::Bundle = skills::Bundle::EMPTY;

static REGISTRY: skills::Registry<'static> = skills::Registry::of(&[("app", &SKILLS), ("", &SKILLS)]);

fn main() {
    let _ = REGISTRY.list();
}
