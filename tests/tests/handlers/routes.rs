//! Which skills a model sees for a request.

use skills_handlers::{Context, Group, Router, Selection};

use crate::acting::{REGISTRY, editor, handlers};

fn route(router: &Router, request: &str, context: &Context) -> Selection {
    router.route(request, &REGISTRY, &handlers(), context)
}

fn tools(selection: &Selection) -> Vec<&str> {
    selection.tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[test]
fn the_groups_that_fit_are_found_by_search() {
    let selection = route(&Router::new(), "please find a file for me", &editor());
    assert_eq!(selection.groups, ["files", "search", "dangerous"]);
    assert_eq!(tools(&selection), ["file-delete", "file-search", "skills_tool", "read_result"]);
    assert_eq!(
        selection.catalogue,
        "Skills that fit the request:\n\
         - file-delete: Deletes one file. Use when asked to delete or remove a file.\n\
         - file-search: Finds files whose name holds a word. Use when asked where a file is.\n\
         \n\
         There are others, in the groups: row-count, web.\n\
         \n\
         If none of these fits, search for others: skills_tool action=search query=<other words>. \
         A long result is read on with read_result."
    );
    // A caller without a role doesn't see what it may not call, but can read the skill.
    let selection = route(&Router::new(), "find a file", &Context::new("bob"));
    assert_eq!(tools(&selection), ["file-search", "skills_tool", "read_result"]);
    // The whole group is included, even skills without a handler.
    let selection = route(&Router::new(), "fetch the page", &editor());
    assert_eq!(selection.groups, ["web"]);
    assert!(selection.catalogue.contains("- plain-advice: "));
    // A skill without a group is a group of its own.
    assert_eq!(route(&Router::new().max_groups(1), "row-count", &editor()).groups, ["row-count"]);
}

#[test]
fn other_skills_can_always_be_found() {
    for request in ["", "  ", "qqqq", "no such thing at all", &"x ".repeat(100_000)] {
        let selection = route(&Router::new(), request, &editor());
        assert_eq!(selection.groups, [""; 0]);
        assert_eq!(tools(&selection), ["skills_tool", "read_result"]);
        assert!(selection.catalogue.starts_with(
            "No skills were found that fit the request.\n\nThere are others, in the groups: dangerous, files, row-count, \
             search, web."
        ));
    }
}

#[test]
fn a_host_may_choose() {
    let router = Router::by(|request, groups: &[Group]| {
        let named = groups.iter().filter(|group| request.contains(&group.name));
        named.map(|group| group.name.clone()).chain(["none-such".to_owned(), "web".to_owned()]).collect()
    });
    let selection = route(&router, "web or dangerous", &editor());
    assert_eq!(selection.groups, ["dangerous", "web"]);
    assert_eq!(tools(&selection), ["file-delete", "skills_tool", "read_result"]);
    assert_eq!(route(&router.max_groups(1), "web or dangerous", &editor()).groups, ["dangerous"]);
}
