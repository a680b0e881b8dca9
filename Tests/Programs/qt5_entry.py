#!/usr/bin/python3
"""A Qt 5 program with a text field that prints its text and what is composed in it, one line each."""

import signal
import sys

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication, QLineEdit


class Entry(QLineEdit):
    def inputMethodEvent(self, event):
        print("composed", event.preeditString(), flush=True)
        super().inputMethodEvent(event)


signal.signal(signal.SIGINT, signal.SIG_DFL)
application = QApplication(sys.argv)
entry = Entry()
entry.setWindowTitle("Qt 5")
entry.setWindowFlag(Qt.FramelessWindowHint)
entry.setInputMethodHints(Qt.ImhDigitsOnly)
entry.textChanged.connect(lambda text: print("text", text, flush=True))
entry.resize(300, 60)
entry.show()
sys.exit(application.exec())
