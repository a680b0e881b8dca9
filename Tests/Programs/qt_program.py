#!/usr/bin/python3
"""A Qt program that prints the events it receives, one line each on standard output: qt_program.py 5|6 TITLE.

It also prints the positions of its widgets ("place NAME X Y WIDTH HEIGHT", in points of the window) for tests.
F5 copies 1 MiB of text, F6 pastes without a text field, F7 opens a modal dialog.
"""

import hashlib
import os
import sys

if sys.argv[1] == "5":
    from PyQt5.QtCore import QEvent, QObject, Qt
    from PyQt5.QtGui import QKeySequence
    from PyQt5.QtWidgets import QApplication, QComboBox, QDialog, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget
else:
    from PyQt6.QtCore import QEvent, QObject, Qt
    from PyQt6.QtGui import QKeySequence
    from PyQt6.QtWidgets import QApplication, QComboBox, QDialog, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget

LARGE = "".join(f"{line:07d} Grüße, ñ € 漢 😀\n" for line in range(1 << 20 >> 5))


def say(*words):
    print(*words, flush=True)


def digest(text):
    return f"{len(text.encode())} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


class Area(QWidget):
    """Receives clicks, scrolls and touches."""

    def __init__(self):
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self.setMinimumHeight(120)

    def mousePressEvent(self, event):
        names = {Qt.MouseButton.LeftButton: 1, Qt.MouseButton.MiddleButton: 2, Qt.MouseButton.RightButton: 3}
        at = event.localPos() if sys.argv[1] == "5" else event.position()
        say("clicked", names.get(event.button(), 0), f"{at.x():g} {at.y():g}")

    def wheelEvent(self, event):
        say("scrolled", f"{-event.angleDelta().x() / 120:g} {-event.angleDelta().y() / 120:g}")

    def event(self, event):
        names = {QEvent.Type.TouchBegin: "began", QEvent.Type.TouchUpdate: "moved", QEvent.Type.TouchEnd: "ended",
                 QEvent.Type.TouchCancel: "cancelled"}
        if event.type() in names:
            point = None
            if event.type() == QEvent.Type.TouchBegin:
                point = event.touchPoints()[0].pos() if sys.argv[1] == "5" else event.points()[0].position()
            say("touch", names[event.type()], *([f"{point.x():g} {point.y():g}"] if point else []))
            return True
        return super().event(event)


class Keys(QObject):
    """Sees every key before the widgets do."""

    def eventFilter(self, watched, event):
        if event.type() != QEvent.Type.KeyPress or watched is not QApplication.focusWidget():
            return False
        names = {"shift": Qt.KeyboardModifier.ShiftModifier, "ctrl": Qt.KeyboardModifier.ControlModifier,
                 "alt": Qt.KeyboardModifier.AltModifier}
        held = "".join(f"{name}+" for name, mask in names.items() if event.modifiers() & mask)
        # Qt returns half a surrogate pair for keys without a character.
        say("key", held + QKeySequence(event.key()).toString().encode("utf-8", "replace").decode())
        if event.key() == Qt.Key.Key_F5:
            QApplication.clipboard().setText(LARGE)
            say("copied", digest(LARGE))
        elif event.key() == Qt.Key.Key_F6:
            say("pasted", digest(QApplication.clipboard().text()))
        elif event.key() == Qt.Key.Key_F7:
            window.ask()
        return False


class Window(QWidget):
    def __init__(self):
        super().__init__(flags=Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle(sys.argv[2])
        self.resize(360, 300)
        self.entry = QLineEdit()
        self.entry.textChanged.connect(lambda text: say("text", text))
        self.button = QPushButton("Button")
        self.button.clicked.connect(lambda: say("clicked button"))
        self.choice = QComboBox()
        self.choice.addItems(["one", "two", "three"])
        self.choice.currentIndexChanged.connect(lambda index: say("selected", index))
        menu = QMenu(self)
        menu.addAction("Item").triggered.connect(lambda: say("clicked item"))
        menu.aboutToShow.connect(lambda: say("menu opened"))
        menu.aboutToHide.connect(lambda: say("menu closed"))
        self.menu = QPushButton("Menu")
        self.menu.setMenu(menu)
        self.area = Area()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.entry, self.button, self.choice, self.menu, self.area):
            layout.addWidget(widget)
        self.entry.setFocus()

    def ask(self):
        self.dialog = QDialog(self, flags=Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.dialog.setWindowTitle("Dialog")
        self.dialog.resize(120, 80)
        self.dialog.finished.connect(lambda _: say("dialog closed"))
        self.dialog.open()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.layout().activate()
        for name in ("entry", "button", "choice", "menu", "area"):
            place = getattr(self, name).geometry()
            say("place", name, place.x(), place.y(), place.width(), place.height())

    def changeEvent(self, event):
        if event.type() == QEvent.Type.ActivationChange:
            say("focus", "in" if self.isActiveWindow() else "out")
        super().changeEvent(event)

    def closeEvent(self, event):
        say("close")
        event.accept()


application = QApplication(sys.argv[:1])
keys = Keys()
application.installEventFilter(keys)
window = Window()
window.show()
# Qt 6.4 can deadlock when it shuts down properly: one of its threads still reads for another.
os._exit(application.exec_() if sys.argv[1] == "5" else application.exec())
