//! Which skills a model sees for a request.

use skills::{Bundle, Registry};
use skills_handlers::{Binding, Context, Failure, Group, Handlers, Router, Selection};

use crate::acting::{Nothing, REGISTRY, editor, handlers};

async fn route(router: &Router, request: &str, context: &Context) -> Selection {
    router.route(request, &REGISTRY, &handlers(), context).await
}

fn tools(selection: &Selection) -> Vec<&str> {
    selection.tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[tokio::test]
async fn the_groups_that_fit_are_found_by_search() {
    let selection = route(&Router::new(), "please find a file for me", &editor()).await;
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
    let selection = route(&Router::new(), "find a file", &Context::new("bob")).await;
    assert_eq!(tools(&selection), ["file-search", "skills_tool", "read_result"]);
    // The whole group is included, even skills without a handler.
    let selection = route(&Router::new(), "fetch the page", &editor()).await;
    assert_eq!(selection.groups, ["web"]);
    assert!(selection.catalogue.contains("- plain-advice: "));
    // A skill without a group is a group of its own.
    assert_eq!(route(&Router::new().max_groups(1), "row-count", &editor()).await.groups, ["row-count"]);
}

#[tokio::test]
async fn other_skills_can_always_be_found() {
    for request in ["", "  ", "qqqq", "no such thing at all", &"x ".repeat(100_000)] {
        let selection = route(&Router::new(), request, &editor()).await;
        assert_eq!(selection.groups, [""; 0]);
        assert!(selection.is_everything);
        assert_eq!(tools(&selection), ["file-delete", "file-search", "skills_tool", "read_result"]);
        assert!(selection.catalogue.starts_with(
            "No skills were found that fit the request, so all that can be called are offered.\n\nThere are others, in the groups: dangerous, files, row-count, \
             search, web."
        ));
    }
}

#[tokio::test]
async fn a_host_may_choose() {
    let router = Router::by(|request, groups: &[Group]| {
        let named = groups.iter().filter(|group| request.contains(&group.name));
        named.map(|group| group.name.clone()).chain(["none-such".to_owned(), "web".to_owned()]).collect()
    });
    let selection = route(&router, "web or dangerous", &editor()).await;
    assert_eq!(selection.groups, ["dangerous", "web"]);
    assert_eq!(tools(&selection), ["file-delete", "skills_tool", "read_result"]);
    assert_eq!(route(&router.max_groups(1), "web or dangerous", &editor()).await.groups, ["dangerous"]);
}

/// Search knows some Chinese words as English ones. Of other languages no skill here has a word, but the handlers can be
/// called for every request.
#[tokio::test]
async fn a_request_in_another_language_reaches_a_handler() {
    for request in ["请删除目录", "帮我查一下本周任务", "удали файл", "Lösche die Datei, bitte"]
    {
        let selection = route(&Router::new(), request, &editor()).await;
        assert!(tools(&selection).contains(&"file-delete"), "{request}: {:?}", tools(&selection));
    }
    let selection = route(&Router::new(), "请删除目录", &editor()).await;
    assert_eq!(
        (selection.groups, selection.is_everything),
        (vec!["dangerous".into(), "files".into()], false)
    );
    // A caller without permission still doesn't get the handler.
    let selection = route(&Router::new(), "удали файл", &Context::new("bob")).await;
    assert!(selection.is_everything);
    assert_eq!(tools(&selection), ["file-search", "skills_tool", "read_result"]);
    // A request that fits some groups still gets only those.
    let selection = route(&Router::new(), "fetch the page", &editor()).await;
    assert!(!selection.is_everything && !tools(&selection).contains(&"file-delete"));
}

#[tokio::test]
async fn skills_in_other_languages_are_found_by_search() {
    static SKILLS: Bundle = skills::include_skills!("fixtures/acting-zh");
    let registry = Registry::new(&SKILLS);
    let mut handlers = Handlers::new(&registry);
    for skill in ["remove-dir", "week-tasks", "weather"] {
        handlers = handlers
            .bind(Binding::new(skill, |_: Nothing, _: Context| async { Ok::<_, Failure>(()) }))
            .unwrap();
    }
    for (request, skill) in [("请删除目录", "remove-dir"), ("帮我查一下本周任务", "week-tasks")]
    {
        let selection = Router::new().max_groups(1).route(request, &registry, &handlers, &editor()).await;
        assert_eq!(tools(&selection), [skill, "skills_tool", "read_result"]);
    }
}

/// The function may wait, such as for a model that chooses.
#[tokio::test]
async fn a_host_may_wait_for_its_choice() {
    let router = Router::by_async(|request: &str, groups: &[Group]| {
        let name = groups.iter().map(|group| group.name.clone()).find(|name| request.contains(name.as_str()));
        async move {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            name.into_iter().collect()
        }
    });
    assert_eq!(route(&router, "something dangerous", &editor()).await.groups, ["dangerous"]);
    assert!(route(&router, "nothing", &editor()).await.is_everything);
}
