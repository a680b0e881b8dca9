// Points, sizes, rectangles and transforms of the library, for programs that import it.

@_exported public import MullionGeometry
