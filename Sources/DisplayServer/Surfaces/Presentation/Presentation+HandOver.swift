// wp_presentation for a server that takes over. Its feedback objects are discarded before.

import Wayland

extension PresentationResource: RestorableGlobal {
    typealias Interface = WpPresentation
}
