//! The catalogue of all skills, in each form, in both ways of making it fit.

use bench_harness::clock::{Case, Group, Measured, US};
use bench_harness::markdown::Target;
use skills::catalogue::{CatalogueForm, CatalogueOptions, PROMPT_BUDGET};

use crate::material::Material;

/// A budget in which all names stand, and descriptions that are shortened.
const WIDE: usize = 100_000;

const FORMS: [(&str, CatalogueForm); 3] =
    [("plain", CatalogueForm::Plain), ("XML", CatalogueForm::Xml), ("JSON", CatalogueForm::Json)];

/// Each with its fingerprint.
pub fn group(material: &Material) -> Group<'_> {
    let row = |form: CatalogueForm| {
        let budgets = [PROMPT_BUDGET, WIDE].into_iter().flat_map(|budget| [(budget, false), (budget, true)]);
        let case = |(budget, shorten)| {
            let registry = material.snapshot.registry();
            let options = CatalogueOptions::new(form).budget(budget).shorten(shorten);
            Case::new(std::slice::from_ref(&material.root), move |_| registry.catalogue(&options))
        };
        budgets.map(case).collect::<Vec<_>>()
    };
    Group {
        title: "Catalogue",
        about: "",
        unit: US,
        columns: ["12,000 characters, cut", "12,000, shortened", "100,000, cut", "100,000, shortened"]
            .map(str::to_owned)
            .into(),
        rows: FORMS.iter().map(|(label, form)| (*label, row(*form))).collect(),
    }
}

/// Less than a millisecond.
pub fn promised(measured: &Measured) -> Vec<Target> {
    let mut targets = Vec::new();
    for (label, _) in FORMS {
        for (column, title) in measured.columns.iter().enumerate() {
            let found = measured.median(label, column).map(|median| median / US.nanoseconds);
            targets.extend(found.map(|found| Target {
                what: format!("catalogue, {label}, {title}"),
                most: 1_000.0,
                found,
                unit: " µs",
            }));
        }
    }
    targets
}
