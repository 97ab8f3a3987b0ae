//! What the server knows: the open files, the roots they belong to, and what the client can do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, PublishDiagnosticsParams,
    ResourceOperationKind, Uri, WorkspaceFolders,
};
use serde_json::Value;
use skills_source::scan::real;

use super::diagnostics;
use super::document::Document;
use super::place::{Kind, RootPlace, path_of, root_of};
use super::root::Root;

/// The state of the server.
#[derive(Debug)]
pub(crate) struct Server {
    folders: Vec<PathBuf>,
    /// The folders as the client names them: one may be opened through a symlink.
    named: BTreeMap<PathBuf, PathBuf>,
    /// By the URI: a file may be open under two of them, through a symlink.
    documents: BTreeMap<String, Document>,
    roots: BTreeMap<RootPlace, Root>,
    /// The URIs of open files whose diagnostics are to be sent.
    waiting: BTreeSet<String>,
    /// Diagnostics that go with a file that was closed.
    cleared: Vec<Uri>,
    pub(crate) client: Client,
}

/// What the client can do.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Client {
    /// It applies edits to a given version of a file, and other changes beside them.
    pub(crate) takes_document_changes: bool,
    /// It renames files and directories.
    pub(crate) renames_files: bool,
    /// It watches files if it is asked to.
    pub(crate) watches_files: bool,
}

/// A file as the client has it.
#[derive(Debug, Clone)]
pub(crate) struct OpenFile {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: String,
}

impl Server {
    pub(crate) fn new(params: &Value) -> Self {
        // What a client sends beside the protocol is no reason not to serve it.
        let params: InitializeParams = serde_json::from_value(params.clone()).unwrap_or_default();
        let workspace = params.capabilities.workspace.as_ref();
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let operations = edits.and_then(|edits| edits.resource_operations.as_ref());
        let client = Client {
            takes_document_changes: edits.and_then(|edits| edits.document_changes).unwrap_or_default(),
            renames_files: operations.is_some_and(|known| known.contains(&ResourceOperationKind::Rename)),
            watches_files: workspace
                .and_then(|workspace| workspace.did_change_watched_files.as_ref()?.dynamic_registration)
                .unwrap_or_default(),
        };
        let folders = match params.workspace_folders_initialize_params.workspace_folders {
            Some(WorkspaceFolders::WorkspaceFolderList(folders)) => {
                folders.into_iter().map(|folder| folder.uri).collect()
            }
            #[allow(deprecated, reason = "old clients know no folders")]
            _ => Vec::from_iter(params.root_uri),
        };
        let mut server = Self {
            folders: Vec::new(),
            named: BTreeMap::new(),
            documents: BTreeMap::new(),
            roots: BTreeMap::new(),
            waiting: BTreeSet::new(),
            cleared: Vec::new(),
            client,
        };
        for folder in &folders {
            server.take_folder(folder);
        }
        server
    }

    fn take_folder(&mut self, uri: &Uri) {
        let Some(path) = path_of(uri) else { return };
        let place = real(&path);
        self.named.insert(place.clone(), path);
        self.folders.push(place);
    }

    /// A root that nothing is known of yet.
    fn new_root(&self, place: RootPlace) -> Root {
        let named = self.named.get(&place.base).cloned();
        Root::new(place, named)
    }

    /// A file was opened. One that isn't served is forgotten here, and every later message on it is ignored.
    pub(crate) fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let Some(path) = path_of(&item.uri) else { return };
        let Some(kind) = Kind::of(&path) else { return };
        let path = real(&path);
        let document = Document::new(item.uri, kind, path.clone(), item.version, item.text);
        if kind == Kind::Manifest {
            self.set_in_roots_below(&document);
        } else {
            let place = root_of(&path, kind, &self.folders);
            if !self.roots.contains_key(&place) {
                let mut root = self.new_root(place.clone());
                // The settings that are being written are in force.
                for manifest in self.documents.values().filter(|open| open.kind == Kind::Manifest) {
                    root.set(manifest);
                }
                self.roots.insert(place.clone(), root);
            }
            let Some(root) = self.roots.get_mut(&place) else { return };
            // Others may have changed files meanwhile, and not every client tells.
            root.forget();
            root.set(&document);
        }
        self.documents.insert(document.uri.as_ref().to_owned(), document);
        self.judge_again(&path);
    }

    pub(crate) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.text_document_identifier.uri;
        let Some(document) = self.documents.get_mut(uri.as_ref()) else { return };
        document.change(params.text_document.version, params.content_changes);
        let path = document.path.clone();
        let place = root_of(&path, document.kind, &self.folders);
        match (document.kind, self.roots.get_mut(&place)) {
            (Kind::Manifest, _) => {
                let Some(document) = self.documents.remove(uri.as_ref()) else { return };
                self.set_in_roots_below(&document);
                self.documents.insert(uri.as_ref().to_owned(), document);
            }
            (_, Some(root)) => root.set(document),
            (_, None) => {}
        }
        self.judge_again(&path);
    }

    /// A file was saved: it, or what is around it, may be new on disk.
    pub(crate) fn save(&mut self, uri: &Uri) {
        if let Some(path) = path_of(uri) {
            self.changed_on_disk(&real(&path));
        }
    }

    pub(crate) fn close(&mut self, uri: &Uri) {
        let Some(document) = self.documents.remove(uri.as_ref()) else { return };
        self.waiting.remove(uri.as_ref());
        self.cleared.push(document.uri);
        let path = document.path;
        // What the file has under its other URI counts now.
        let other = self.documents.values().find(|other| other.path == path);
        for root in self.roots.values_mut() {
            match other {
                Some(other) if root.has_text_of(&path) => root.set(other),
                Some(_) => {}
                None => root.unset(&path),
            }
        }
        let used: BTreeSet<RootPlace> = self.documents.values().map(|open| self.place(open)).collect();
        self.roots.retain(|place, _| used.contains(place));
        self.judge_again(&path);
    }

    /// A file below a root was written, made or removed by somebody.
    pub(crate) fn changed_on_disk(&mut self, path: &Path) {
        let is_manifest = Kind::of(path) == Some(Kind::Manifest);
        let above = path.parent().unwrap_or(path);
        let places: Vec<RootPlace> = self.roots.keys().cloned().collect();
        for place in places {
            if path.starts_with(&place.dir) || is_manifest && place.dir.starts_with(above) {
                if let Some(root) = self.roots.get_mut(&place) {
                    root.forget();
                }
                self.wait_for(&place);
            }
        }
    }

    pub(crate) fn add_folder(&mut self, uri: &Uri) {
        self.take_folder(uri);
        self.place_again();
    }

    pub(crate) fn remove_folder(&mut self, uri: &Uri) {
        let gone = path_of(uri).map(|path| real(&path));
        self.folders.retain(|folder| Some(folder) != gone.as_ref());
        self.named.retain(|folder, _| Some(folder) != gone.as_ref());
        self.place_again();
    }

    /// Whether diagnostics are to be sent.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty() || !self.cleared.is_empty()
    }

    /// Whether queries of tests are to be judged once nobody types.
    pub(crate) fn has_old_queries(&self) -> bool {
        self.roots.values().any(Root::has_old_queries)
    }

    /// Judges the queries of tests. Where that gives something new, diagnostics are to be sent.
    pub(crate) fn judge_queries(&mut self) {
        self.roots.values_mut().for_each(Root::judge_queries);
        let new =
            self.roots.iter_mut().filter_map(|(place, root)| root.take_new_queries().then(|| place.clone()));
        for place in new.collect::<Vec<_>>() {
            self.wait_for(&place);
        }
    }

    /// The diagnostics to send.
    pub(crate) fn take_diagnostics(&mut self) -> Vec<PublishDiagnosticsParams> {
        let cleared = std::mem::take(&mut self.cleared).into_iter();
        let mut all: Vec<_> =
            cleared.map(|uri| PublishDiagnosticsParams::new(uri, None, Vec::new())).collect();
        let waiting = std::mem::take(&mut self.waiting);
        let mut waiting: Vec<&Document> = waiting.iter().filter_map(|uri| self.documents.get(uri)).collect();
        waiting.sort_by(|a, b| a.path.cmp(&b.path));
        for document in waiting {
            let diagnostics = match document.kind {
                Kind::Manifest => diagnostics::of_manifest(document, &self.folders),
                kind => {
                    let place = root_of(&document.path, kind, &self.folders);
                    self.roots.get_mut(&place).map(|root| diagnostics::of(document, root)).unwrap_or_default()
                }
            };
            all.push(PublishDiagnosticsParams::new(
                document.uri.clone(),
                Some(document.version),
                diagnostics,
            ));
        }
        all
    }

    /// An open file, and its root; `None` for one that isn't open, isn't served, or is a Cargo.toml.
    pub(crate) fn opened(&mut self, uri: &Uri) -> Option<(&Document, &mut Root)> {
        let document = self.documents.get(uri.as_ref())?;
        let place = root_of(&document.path, document.kind, &self.folders);
        Some((document, self.roots.get_mut(&place)?))
    }

    /// The open files, by their places on disk.
    pub(crate) fn open_files(&self) -> BTreeMap<PathBuf, OpenFile> {
        let of = |open: &Document| {
            let file =
                OpenFile { uri: open.uri.clone(), version: open.version, text: open.text().to_owned() };
            (open.path.clone(), file)
        };
        self.documents.values().map(of).collect()
    }

    fn place(&self, document: &Document) -> RootPlace {
        root_of(&document.path, document.kind, &self.folders)
    }

    /// Gives a Cargo.toml to the roots that obey it.
    fn set_in_roots_below(&mut self, manifest: &Document) {
        let above = manifest.path.parent().unwrap_or(&manifest.path);
        let below: Vec<RootPlace> =
            self.roots.keys().filter(|place| place.dir.starts_with(above)).cloned().collect();
        for place in below {
            if let Some(root) = self.roots.get_mut(&place) {
                root.set(manifest);
            }
            self.wait_for(&place);
        }
    }

    /// Has the diagnostics sent of a file and of all files that a change of it may concern.
    fn judge_again(&mut self, path: &Path) {
        let Some(kind) = Kind::of(path) else { return };
        let of_file = self.documents.iter().filter(|(_, open)| open.path == path);
        self.waiting.extend(of_file.map(|(uri, _)| uri.clone()));
        let place = root_of(path, kind, &self.folders);
        self.wait_for(&place);
    }

    fn wait_for(&mut self, place: &RootPlace) {
        let of_root = self.documents.iter().filter(|(_, open)| self.place(open) == *place);
        let uris: Vec<String> = of_root.map(|(uri, _)| uri.clone()).collect();
        self.waiting.extend(uris);
    }

    /// Finds the root of every open file again.
    fn place_again(&mut self) {
        self.roots.clear();
        let mut roots = BTreeMap::new();
        for (uri, document) in &self.documents {
            let place = root_of(&document.path, document.kind, &self.folders);
            if document.kind != Kind::Manifest {
                roots.entry(place.clone()).or_insert_with(|| self.new_root(place)).set(document);
            }
            self.waiting.insert(uri.clone());
        }
        self.roots = roots;
        for manifest in self.documents.values().filter(|open| open.kind == Kind::Manifest) {
            self.roots.values_mut().for_each(|root| root.set(manifest));
        }
    }
}
