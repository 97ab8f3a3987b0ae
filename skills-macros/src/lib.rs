//! The macros of the crate `skills`, which re-exports and documents them.
//!
//! There is no rule and no format here: each macro parses its input, asks `skills_bundle::expand`
//! for code and messages, and puts each message at the place that was written.

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::{quote, quote_spanned};
use skills_bundle::expand::{self, Expansion};
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Path, Token, parse_macro_input};

/// See `skills::bundle`.
#[proc_macro]
pub fn bundle(input: TokenStream) -> TokenStream {
    let Input { krate, .. } = parse_macro_input!(input as Input);
    expression(expand::bundle(&krate), Span::call_site())
}

/// See `skills::include_skills`.
#[proc_macro]
pub fn include_skills(input: TokenStream) -> TokenStream {
    let Input { krate, literals } = parse_macro_input!(input as Input);
    match literals.as_slice() {
        [root] => expression(expand::include_skills(&krate, &root.value()), root.span()),
        _ => wrong_input("write `include_skills!(\"skills\")`: one directory, relative to the package"),
    }
}

/// See `skills::skill`.
#[proc_macro]
pub fn skill(input: TokenStream) -> TokenStream {
    let Input { literals, .. } = parse_macro_input!(input as Input);
    match literals.as_slice() {
        [name] => expression(expand::skill(&name.value(), None), name.span()),
        [name, root] => expression(expand::skill(&name.value(), Some(&root.value())), name.span()),
        _ => wrong_input("write `skill!(\"name\")`, or `skill!(\"name\" in \"skills\")`"),
    }
}

/// See `skills::names`.
#[proc_macro]
pub fn names(input: TokenStream) -> TokenStream {
    let Input { .. } = parse_macro_input!(input as Input);
    let expansion = expand::names();
    let errors = errors(&expansion, Span::call_site());
    let items = tokens(&expansion);
    quote!(#errors #items).into()
}

/// Literals, with `in` or `,` between them, after the path of the crate `skills`, if it has another.
struct Input {
    krate: String,
    literals: Vec<LitStr>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut krate = "::skills".to_owned();
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            let path: Path = input.parse()?;
            krate = quote!(#path).to_string().replace(' ', "");
            input.parse::<Option<Token![,]>>()?;
        }
        let mut literals = Vec::new();
        while !input.is_empty() {
            literals.push(input.parse()?);
            if input.parse::<Option<Token![in]>>()?.is_none() {
                input.parse::<Option<Token![,]>>()?;
            }
        }
        Ok(Self { krate, literals })
    }
}

/// An expression: the errors, then the warnings, then the value.
fn expression(expansion: Expansion, span: Span) -> TokenStream {
    let errors = errors(&expansion, span);
    let warnings = expansion.warnings.iter().map(|message| {
        // Stable Rust lets a macro warn only through the lint on what is deprecated.
        quote_spanned! {span=>
            {
                #[deprecated(note = #message)]
                const SKILLS_FINDING: () = ();
                SKILLS_FINDING
            };
        }
    });
    let value = tokens(&expansion);
    quote!({ #errors #(#warnings)* #value }).into()
}

fn errors(expansion: &Expansion, span: Span) -> Tokens {
    expansion.errors.iter().map(|message| quote_spanned!(span=> ::core::compile_error!(#message);)).collect()
}

fn tokens(expansion: &Expansion) -> Tokens {
    expansion.code.parse().unwrap_or_else(|error| {
        let message = format!("the generated code cannot be read ({error}): please report this");
        quote!(::core::compile_error!(#message))
    })
}

fn wrong_input(message: &str) -> TokenStream {
    quote!(::core::compile_error!(#message)).into()
}
