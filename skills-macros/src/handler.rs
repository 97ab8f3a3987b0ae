//! The attribute `handler`: parses its options and a function, and puts a binding beside the function.
//!
//! The function stays as it is. What a name, a time or an example must look like is asked of
//! `skills_bundle::expand`.

use proc_macro::TokenStream;
use proc_macro2::{Ident, Span, TokenStream as Tokens};
use quote::{format_ident, quote, quote_spanned};
use skills_bundle::expand;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{FnArg, ItemFn, LitInt, LitStr, Path, ReturnType, Token, Type, bracketed};

pub(super) fn expand(options: TokenStream, function: TokenStream) -> TokenStream {
    let original = Tokens::from(function.clone());
    let parsed = syn::parse::<Options>(options).and_then(|options| {
        let function = syn::parse::<ItemFn>(function)?;
        check(&function)?;
        Ok((options, function))
    });
    match parsed {
        Ok((options, function)) => binding(&options, &function).into(),
        Err(error) => {
            let error = error.into_compile_error();
            // The function stays, so that uses of it are no errors of their own.
            quote!(#error #original).into()
        }
    }
}

/// `skill = "name" in "root", group = "…", …`
struct Options {
    krate: Path,
    skill: LitStr,
    root: Option<LitStr>,
    /// The methods of the binding, called in this order.
    methods: Vec<Tokens>,
}

const USAGE: &str = "write `#[handler(skill = \"name\")]`, and after it any of `group = \"…\"`, `confirm`, `timeout = \"10s\"`, \
                     `roles = [\"…\"]`, `result_limit = 2000`, `examples = [\"{…}\"]`, `record_arguments`";

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut krate = syn::parse_quote!(::skills_handlers);
        let (mut skill, mut root, mut methods) = (None, None, Vec::new());
        while !input.is_empty() {
            if input.parse::<Option<Token![crate]>>()?.is_some() {
                input.parse::<Token![=]>()?;
                krate = input.call(Path::parse_mod_style)?;
            } else {
                let name: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), USAGE))?;
                match name.to_string().as_str() {
                    "skill" => {
                        skill = Some(value::<LitStr>(input)?);
                        if input.parse::<Option<Token![in]>>()?.is_some() {
                            root = Some(input.parse()?);
                        }
                    }
                    "group" => {
                        let group: LitStr = value(input)?;
                        methods.push(quote!(.group(#group)));
                    }
                    "confirm" => {
                        let reason = if input.peek(Token![=]) {
                            value::<LitStr>(input)?.value()
                        } else {
                            String::new()
                        };
                        methods.push(quote!(.confirm(#reason)));
                    }
                    "timeout" => methods.push(timeout(&value(input)?)?),
                    "roles" => {
                        let roles = list(input)?;
                        methods.push(quote!(#(.role(#roles))*));
                    }
                    "result_limit" => {
                        let limit: LitInt = value(input)?;
                        limit.base10_parse::<usize>()?;
                        methods.push(quote!(.result_limit(#limit)));
                    }
                    "examples" => methods.push(examples(&list(input)?)?),
                    "record_arguments" => methods.push(quote!(.record_arguments())),
                    _ => return Err(syn::Error::new(name.span(), USAGE)),
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let skill = skill.ok_or_else(|| syn::Error::new(Span::call_site(), USAGE))?;
        Ok(Self { krate, skill, root, methods })
    }
}

fn value<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

fn list(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    input.parse::<Token![=]>()?;
    let items;
    bracketed!(items in input);
    Ok(Punctuated::<LitStr, Token![,]>::parse_terminated(&items)?.into_iter().collect())
}

fn timeout(text: &LitStr) -> syn::Result<Tokens> {
    let milliseconds =
        expand::milliseconds(&text.value()).map_err(|message| syn::Error::new(text.span(), message))?;
    Ok(quote!(.timeout(::core::time::Duration::from_millis(#milliseconds))))
}

fn examples(examples: &[LitStr]) -> syn::Result<Tokens> {
    for example in examples {
        expand::is_object(&example.value()).map_err(|message| syn::Error::new(example.span(), message))?;
    }
    Ok(quote!(#(.example(#examples))*))
}

/// What cannot be a handler, told at its place.
fn check(function: &ItemFn) -> syn::Result<()> {
    let signature = &function.sig;
    if !signature.generics.params.is_empty() {
        let message = "a handler has no generics: its schema is made of one type";
        return Err(syn::Error::new(signature.generics.span(), message));
    }
    if let Some(FnArg::Receiver(receiver)) = signature.inputs.first() {
        let message = "a handler is a function, no method: what differs by user comes in its `Context`";
        return Err(syn::Error::new(receiver.span(), message));
    }
    if !(1..=2).contains(&signature.inputs.len()) {
        let message = "a handler takes its arguments as one type, then, if it wants, a `Context`";
        return Err(syn::Error::new(signature.ident.span(), message));
    }
    if matches!(signature.output, ReturnType::Default) {
        let message = "a handler gives `Result<T, Failure>`: what it did, for the model";
        return Err(syn::Error::new(signature.ident.span(), message));
    }
    Ok(())
}

fn binding(options: &Options, function: &ItemFn) -> Tokens {
    let Options { krate, skill, root, methods } = options;
    let expansion = expand::handler_skill(&skill.value(), root.as_ref().map(LitStr::value).as_deref());
    let errors = super::errors(&expansion, skill.span());
    let parameters = super::code(&expansion);
    let (name, vis) = (&function.sig.ident, &function.vis);
    let (input, context) = arguments(function);
    // At the return type, where a mismatch is to be shown.
    let call = quote_spanned!(function.sig.output.span()=> #name(#(#context),*));
    let bound = if function.sig.asyncness.is_some() {
        quote!(#krate::Binding::new(
            #skill,
            |input: #input, context: #krate::Context| async move {
                let _ = &context;
                #call.await
            },
        ))
    } else {
        quote!(#krate::Binding::blocking(
            #skill,
            |input: #input, context: #krate::Context| {
                let _ = &context;
                #call
            },
        ))
    };
    let about = format!("Binds the function of this name to the skill `{}`.", skill.value());
    let test = format_ident!("{name}_agrees_with_its_skill");
    quote! {
        #errors
        #[allow(clippy::needless_pass_by_value, reason = "a handler is given what it works with")]
        #function

        #[doc = #about]
        #[allow(non_camel_case_types, missing_debug_implementations, reason = "it stands for the function")]
        #vis struct #name {}

        impl #name {
            /// The binding, for `Handlers::bind`.
            #[allow(unreachable_pub, reason = "it is as visible as the function")]
            #vis fn binding() -> #krate::Binding {
                #bound #(#methods)*
            }
        }

        #krate::__private::inventory::submit! {
            #krate::__private::Registered { skill: #skill, binding: #name::binding }
        }

        #[cfg(test)]
        #[allow(unnameable_test_items, reason = "a handler in a function is not tested")]
        #[test]
        fn #test() {
            #krate::__private::check_handler(#name::binding(), #parameters);
        }
    }
}

/// The type of the arguments, and what the function is called with.
fn arguments(function: &ItemFn) -> (Option<Type>, Vec<Tokens>) {
    let types = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    let mut input = None;
    let given = types.zip(["input", "context"]).map(|(ty, name)| {
        let name = Ident::new(name, Span::call_site());
        let (owned, given) = match ty {
            Type::Reference(reference) => (&*reference.elem, quote!(&#name)),
            owned => (owned, quote!(#name)),
        };
        input.get_or_insert_with(|| owned.clone());
        given
    });
    let given = given.collect();
    (input, given)
}
