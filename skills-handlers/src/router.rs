//! Restricts the skills that a model sees to the groups that fit a request.
//!
//! A skill's groups are in its SKILL.md under `metadata.group` and in its binding; a skill without groups is
//! a group of its own. Every skill remains reachable, since `skills_tool`, which finds all skills, is always
//! among the tools, and if no group fits, all tools are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use skills::tools::TOOL_NAME;
use skills::{Registry, Skill};
use skills_pack::text::AndMore;

use super::bound::{Handlers, groups_of};
use super::context::Context;
use super::output::READ_RESULT;
use super::source::Source;
use super::tool::Tool;

/// How many groups are shown, unless set.
const MAX_GROUPS: usize = 3;

/// Several skills under one name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// The name.
    pub name: String,
    /// The names of its skills, in order.
    pub skills: Vec<String>,
}

/// What a model sees for one request.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Selection {
    /// The groups that fit, best first.
    pub groups: Vec<String>,
    /// A tool for each of their skills that the caller may call, then `skills_tool` and `read_result`.
    pub tools: Vec<Tool>,
    /// Their skills as text for the prompt, with and without a handler, and how to find others.
    pub catalogue: String,
    /// Whether no group fits, so that the tools are all that the caller may call.
    pub is_everything: bool,
}

/// Chooses the groups for a request: with this project's search, or with a function of the host.
#[derive(Clone)]
pub struct Router {
    max_groups: usize,
    choose: Option<Arc<Choose>>,
}

type Choose = dyn Fn(&str, &[Group]) -> Chosen + Send + Sync;

type Chosen = Pin<Box<dyn Future<Output = Vec<String>> + Send>>;

impl Router {
    /// Chooses with the search over names, descriptions and triggers: the groups of the best matches, at most
    /// three.
    pub fn new() -> Self {
        Self { max_groups: MAX_GROUPS, choose: None }
    }

    /// Chooses with a function that gets the request and all groups, and returns names of groups, best first.
    /// Unknown names are ignored.
    pub fn by(choose: impl Fn(&str, &[Group]) -> Vec<String> + Send + Sync + 'static) -> Self {
        Self::by_async(move |request, groups| ready(choose(request, groups)))
    }

    /// Chooses with an async function, such as one that asks a model.
    pub fn by_async<F>(choose: impl Fn(&str, &[Group]) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Vec<String>> + Send + 'static,
    {
        let choose = move |request: &str, groups: &[Group]| -> Chosen { Box::pin(choose(request, groups)) };
        Self { choose: Some(Arc::new(choose)), ..Self::new() }
    }

    /// Sets how many groups are shown at most.
    #[must_use]
    pub fn max_groups(mut self, groups: usize) -> Self {
        self.max_groups = groups;
        self
    }

    /// Chooses what to show for this request of the skills that the registry serves.
    ///
    /// If no group fits, as for a request in a language that no skill is written in, all tools are shown, and
    /// `tracing` gets a line about it.
    pub async fn route(
        &self,
        request: &str,
        registry: &Registry<'_>,
        handlers: &Handlers,
        context: &Context,
    ) -> Selection {
        self.route_in(request, &Source::from(registry), handlers, context).await
    }

    /// The same for a source. The registry isn't held while the host's function chooses.
    pub(super) async fn route_in(
        &self,
        request: &str,
        source: &Source<'_>,
        handlers: &Handlers,
        context: &Context,
    ) -> Selection {
        let known = handlers.clone();
        let wanted = if let Some(choose) = &self.choose {
            choose(request, &source.ask(move |registry| groups(registry, &known)).await).await
        } else {
            let request = request.to_owned();
            source.ask(move |registry| by_search(&request, registry, &known)).await
        };
        let (most, known, caller) = (self.max_groups, handlers.clone(), context.clone());
        let selection = source.ask(move |registry| select(&wanted, most, registry, &known, &caller)).await;
        if selection.is_everything {
            tracing::info!(trace_id = context.trace_id(), "no group fits the request: all tools are shown");
        }
        selection
    }
}

impl Default for Router {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Router {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Router")
            .field("max_groups", &self.max_groups)
            .field("by_search", &self.choose.is_none())
            .finish()
    }
}

/// The tools and the catalogue of these groups, as far as they exist.
fn select(
    wanted: &[String],
    max_groups: usize,
    registry: &Registry<'_>,
    handlers: &Handlers,
    context: &Context,
) -> Selection {
    let skills: Vec<Skill<'_>> = registry.skills().into_iter().map(|entry| entry.skill).collect();
    let all = groups(registry, handlers);
    let mut chosen: Vec<&Group> = Vec::new();
    for name in wanted {
        let group = all.iter().find(|group| group.name == *name);
        if let Some(group) = group.filter(|group| !chosen.contains(group)) {
            chosen.push(group);
        }
    }
    chosen.truncate(max_groups);
    let shown: BTreeSet<&str> = chosen.iter().flat_map(|group| &group.skills).map(String::as_str).collect();
    let is_everything = chosen.is_empty();
    let tools = if is_everything {
        everything(registry, handlers, context)
    } else {
        let mut tools = handlers.tools(context);
        tools.retain(|tool| shown.contains(tool.name.as_str()));
        tools.extend(always(registry));
        tools
    };
    let others = all.iter().filter(|group| !chosen.contains(group)).map(|group| group.name.as_str());
    let catalogue = catalogue(skills.iter().filter(|skill| shown.contains(skill.name())), others);
    let groups = chosen.into_iter().map(|group| group.name.clone()).collect();
    Selection { groups, tools, catalogue, is_everything }
}

/// All tools that the caller may call of the skills that the registry serves, and the two that are always
/// offered.
pub(super) fn everything(registry: &Registry<'_>, handlers: &Handlers, context: &Context) -> Vec<Tool> {
    let mut tools = handlers.tools(context);
    tools.retain(|tool| registry.get(&tool.name).is_some());
    tools.extend(always(registry));
    tools
}

/// The tools that aren't handlers. Without skills there is nothing to search.
fn always(registry: &Registry<'_>) -> impl Iterator<Item = Tool> {
    let skills_tool = (!registry.is_empty()).then(Tool::skills_tool);
    skills_tool.into_iter().chain([Tool::read_result()])
}

/// All groups, by name.
fn groups(registry: &Registry<'_>, handlers: &Handlers) -> Vec<Group> {
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in registry.skills() {
        for group in all_groups(entry.skill, handlers) {
            by_name.entry(group).or_default().push(entry.skill.name().to_owned());
        }
    }
    by_name.into_iter().map(|(name, skills)| Group { name, skills }).collect()
}

fn all_groups(skill: Skill<'_>, handlers: &Handlers) -> Vec<String> {
    let groups = handlers.bound(skill.name()).map_or_else(|| groups_of(skill), |bound| bound.groups.clone());
    if groups.is_empty() { vec![skill.name().to_owned()] } else { groups }
}

/// The groups of the matches, best match first.
fn by_search(request: &str, registry: &Registry<'_>, handlers: &Handlers) -> Vec<String> {
    let hits = registry.search(request).map(|matches| matches.results).unwrap_or_default();
    hits.iter().flat_map(|hit| all_groups(hit.entry.skill, handlers)).collect()
}

/// How many other groups a catalogue lists.
const OTHERS_SHOWN: usize = 20;

fn catalogue<'s>(
    skills: impl Iterator<Item = &'s Skill<'s>>,
    others: impl Iterator<Item = &'s str>,
) -> String {
    let mut text = String::new();
    for skill in skills {
        let description = skill.description().split_whitespace().collect::<Vec<_>>().join(" ");
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "- {}: {description}", skill.name());
    }
    let mut catalogue = if text.is_empty() {
        "No skills were found that fit the request, so all that can be called are offered.\n".to_owned()
    } else {
        format!("Skills that fit the request:\n{text}")
    };
    let others: Vec<&str> = others.collect();
    if !others.is_empty() {
        let more = AndMore(others.len().saturating_sub(OTHERS_SHOWN));
        let shown = others[..others.len().min(OTHERS_SHOWN)].join(", ");
        let _ = writeln!(catalogue, "\nThere are others, in the groups: {shown}{more}.");
    }
    let _ = write!(
        catalogue,
        "\nIf none of these fits, search for others: {TOOL_NAME} action=search query=<other words>. \
         A long result is read on with {READ_RESULT}."
    );
    catalogue
}
