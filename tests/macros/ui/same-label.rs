// Nobody could tell the skills of two packs apart.
static SKILLS: skills::Bundle = skills::Bundle::EMPTY;

mod pack_a {
    pub static SKILLS: skills::Bundle = skills::Bundle::EMPTY;
}

static REGISTRY: skills::Registry<'static> =
    skills::Registry::of(&[("app", &SKILLS), ("git", &pack_a::SKILLS), ("app", &pack_a::SKILLS)]);

fn main() {
    let _ = REGISTRY.list();
}
