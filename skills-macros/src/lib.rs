//! The macros of the crates `skills` and `skills-handlers`, which re-export and document them.
//!
//! There is no rule and no format here: each macro parses its input, asks `skills_bundle::expand`
//! for code and messages, and puts each message at the place that was written.

#[cfg(feature = "handlers")]
mod handler;

use proc_macro::TokenStream;
use proc_macro2::{Ident, Span, TokenStream as Tokens};
use quote::{quote, quote_spanned};
use skills_bundle::expand::{self, Expansion};
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{LitStr, Path, Token};

/// See `skills::bundle`.
#[proc_macro]
pub fn bundle(input: TokenStream) -> TokenStream {
    match parse(input) {
        Ok(Input { krate, name: None, root: None }) => {
            bundle_expression(&krate, &expand::bundle(), Span::call_site())
        }
        other => wrong(other, "write `bundle!()`: which directory it is stands in the build script"),
    }
}

/// See `skills::include_skills`.
#[proc_macro]
pub fn include_skills(input: TokenStream) -> TokenStream {
    match parse(input) {
        Ok(Input { krate, name: Some(root), root: None }) => {
            bundle_expression(&krate, &expand::include_skills(&root.value()), root.span())
        }
        other => wrong(other, "write `include_skills!(\"skills\")`: one directory, relative to the package"),
    }
}

/// See `skills::skill`.
#[proc_macro]
pub fn skill(input: TokenStream) -> TokenStream {
    let (name, expansion) = match parse(input) {
        Ok(Input { name: Some(name), root: None, .. }) => (name.span(), expand::skill(&name.value())),
        Ok(Input { name: Some(name), root: Some(root), .. }) => {
            (name.span(), expand::skill_in(&name.value(), &root.value()))
        }
        other => return wrong(other, "write `skill!(\"name\")`, or `skill!(\"name\" in \"skills\")`"),
    };
    let value = code(&expansion);
    // Without a block the name can also stand where only a literal can, such as in a pattern.
    if expansion.errors.is_empty() {
        return value.into();
    }
    let errors = errors(&expansion, name);
    quote!({ #errors #value }).into()
}

/// See `skills_handlers::handler`.
#[cfg(feature = "handlers")]
#[proc_macro_attribute]
pub fn handler(options: TokenStream, function: TokenStream) -> TokenStream {
    handler::expand(options, function)
}

/// See `skills::names`.
#[proc_macro]
pub fn names(input: TokenStream) -> TokenStream {
    match parse(input) {
        Ok(Input { name: None, root: None, .. }) => {
            let expansion = expand::names();
            let errors = errors(&expansion, Span::call_site());
            let items = code(&expansion);
            quote!(#errors #items).into()
        }
        other => wrong(other, "write `names!();`: which directory it is stands in the build script"),
    }
}

/// `crate = path, "name" in "root"`, each part of which may be missing.
struct Input {
    krate: Path,
    name: Option<LitStr>,
    root: Option<LitStr>,
}

fn parse(input: TokenStream) -> syn::Result<Input> {
    let parser = |input: ParseStream<'_>| {
        let mut krate = syn::parse_quote!(::skills);
        if input.parse::<Option<Token![crate]>>()?.is_some() {
            input.parse::<Token![=]>()?;
            krate = input.call(Path::parse_mod_style)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let name: Option<LitStr> = if input.is_empty() { None } else { Some(input.parse()?) };
        let root = if input.parse::<Option<Token![in]>>()?.is_some() { Some(input.parse()?) } else { None };
        if name.is_some() {
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Input { krate, name, root })
    };
    parser.parse(input)
}

/// The errors, then the warnings, then the bundle.
fn bundle_expression(krate: &Path, expansion: &Expansion, span: Span) -> TokenStream {
    let errors = errors(expansion, span);
    let warning = |message: &String| {
        // Stable Rust lets a macro warn only through a lint, and this one shows its message. It is laid
        // to the span of the use; all else is the macro's own code, which other lints pass over.
        let used = Ident::new("SKILL_WARNING", span);
        quote! {
            {
                #[deprecated(note = #message)]
                const SKILL_WARNING: () = ();
                let () = #used;
            }
        }
    };
    let warnings = expansion.warnings.iter().map(warning);
    // What the package is compiled with is known to its code alone.
    let by_profile = expansion.errors_in_release.iter().map(|message| {
        let warning = warning(message);
        quote_spanned! {span=>
            #[cfg(not(debug_assertions))]
            ::core::compile_error!(#message);
            #[cfg(debug_assertions)]
            #warning
        }
    });
    let value = code(expansion);
    let import = quote_spanned!(krate.span()=> use #krate as __skills;);
    quote!({ #import #errors #(#by_profile)* #(#warnings)* #value }).into()
}

fn errors(expansion: &Expansion, span: Span) -> Tokens {
    expansion.errors.iter().map(|message| quote_spanned!(span=> ::core::compile_error!(#message);)).collect()
}

fn code(expansion: &Expansion) -> Tokens {
    expansion.code.parse().unwrap_or_else(|error| {
        let message = format!("the generated code cannot be read ({error}): please report this");
        quote!(::core::compile_error! { #message })
    })
}

/// The error for input of another form, at the first token that does not fit.
fn wrong(input: syn::Result<Input>, usage: &str) -> TokenStream {
    let span = match input {
        Err(error) => error.span(),
        Ok(Input { name: Some(name), .. }) => name.span(),
        Ok(_) => Span::call_site(),
    };
    // With braces it is an expression and an item.
    quote_spanned!(span=> ::core::compile_error! { #usage }).into()
}
