// What extensions keep with a toplevel.

/// The objects and states that extensions of xdg_toplevel add to it. Most toplevels have none, or only a decoration.
final class ToplevelExtensions {
    /// The decoration object, if any; set to nil when it is destroyed.
    var decoration: DecorationResource?
    /// The object that declares it a dialog, if any.
    var dialog: DialogResource?
    /// The drag that moves it, if any.
    var drag: ToplevelDragResource?
    /// The icon of the next commit (C4).
    var pendingIcon: ToplevelIcon.Change?
    /// Those that export it (xdg-foreign).
    var exports: [ExportedResource] = []
    /// Its parent if that is another program's.
    var importedParent: ImportedResource?
}
