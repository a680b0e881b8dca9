// Folders, searches in texts, and the emptying of arrays.

import FoundationEssentials
import Glibc
import MullionSystem
import Testing

@Suite struct FolderTests {
    @Test("a folder is created along with its missing parents; a file or a dangling link in its place is an error")
    func create() throws {
        var template = Array("/tmp/mullion-folder-XXXXXX".utf8CString)
        let root = String(cString: try #require(mkdtemp(&template)))
        defer { try? FileManager.default.removeItem(atPath: root) }
        for path in ["\(root)/a/b/c", "\(root)/a/b/c", "\(root)/a/", root, "/"] {
            try Folder.create(path, permissions: 0o700)
        }
        var status = stat()
        #expect(stat("\(root)/a/b", &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(FileManager.default.createFile(atPath: "\(root)/a/file", contents: nil))
        #expect(symlink("\(root)/nothing", "\(root)/link") == 0)
        for path in ["\(root)/a/file", "\(root)/a/file/b", "\(root)/link"] {
            #expect(throws: SystemError(ENOTDIR)) { try Folder.create(path, permissions: 0o700) }
        }
        #expect(Folder.names(in: "\(root)/a")?.sorted() == ["b", "file"])
        #expect(Folder.names(in: "\(root)/none") == nil && Folder.names(in: "\(root)/a/file") == nil)
    }

    @Test("texts are found and replaced byte for byte")
    func search() {
        #expect("aXXb".replacingAll("X", with: "--") == "a----b")
        #expect("aaa".replacingAll("aa", with: "b") == "ba")
        #expect("~1/é~0".replacingAll("~1", with: "/").replacingAll("~0", with: "~") == "//é~")
        #expect("é".firstPlace(of: "e") == nil && "".firstPlace(of: "x") == nil)
        let text = "0...1"
        let dots = text.firstPlace(of: "...")
        #expect(dots.map { [text[..<$0.lowerBound], text[$0.upperBound...]] } == ["0", "1"])
    }

    @Test("clear() releases all elements and keeps the memory")
    func clear() {
        final class Object {}
        var array = (0..<10).map { _ in Object() }
        weak let last = array.last
        let capacity = array.capacity
        array.clear()
        #expect(array.isEmpty && array.capacity == capacity && last == nil)
    }
}
