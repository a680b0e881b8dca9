#!/usr/bin/python3
"""LibreOffice Writer with an empty document; it prints the events that it receives, one line each on standard output.

usage: office_program.py HOME, with a folder for LibreOffice's profile. F7 opens a dialog.
"""

import os
import queue
import subprocess
import sys
import threading

import uno
import unohelper
from com.sun.star.awt import XKeyHandler, XMouseClickHandler
from com.sun.star.connection import NoConnectException
from com.sun.star.document import XDocumentEventListener
from com.sun.star.lang import DisposedException
from com.sun.star.ui import XContextMenuInterceptor
from com.sun.star.ui.ContextMenuInterceptorAction import IGNORED
from com.sun.star.util import XModifyListener

F7 = 774


def say(*words):
    print(*words, flush=True)


class Listener(unohelper.Base, XContextMenuInterceptor, XKeyHandler, XModifyListener, XMouseClickHandler):
    def __init__(self, document, dispatch):
        self.document = document
        self.dispatch = dispatch
        self.closed = threading.Event()

    def mousePressed(self, event):
        say("clicked", {1: 1, 2: 3, 4: 2}.get(event.Buttons, 0), event.X, event.Y)
        return False

    def mouseReleased(self, event):
        return False

    def keyPressed(self, event):
        if event.KeyCode != F7:
            return False
        # The answer comes when the dialog has closed.
        threading.Thread(target=self.dispatch, daemon=True).start()
        return True

    def keyReleased(self, event):
        return False

    def modified(self, event):
        # Else LibreOffice would ask whether to save the document when its window is closed.
        if self.document.isModified():
            say("text", self.document.Text.String)
            self.document.setModified(False)

    def notifyContextMenuExecute(self, event):
        say("menu opened")
        return IGNORED

    def disposing(self, event):
        self.closed.set()


class Views(unohelper.Base, XDocumentEventListener):
    """Notices the controllers of documents."""

    def __init__(self):
        self.found = queue.SimpleQueue()

    def documentEventOccured(self, event):
        if event.ViewController:
            self.found.put(event.ViewController)

    def disposing(self, event):
        pass


def on_end(office, action):
    """Calls a function when LibreOffice has ended."""

    def watch():
        office.wait()
        action()

    threading.Thread(target=watch, daemon=True).start()


def connect(office, address):
    """The context of LibreOffice. Nothing says when it listens: it creates its pipe before that."""
    resolver = uno.getComponentContext().ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    while office.poll() is None:
        try:
            return resolver.resolve(f"uno:{address};urp;StarOffice.ComponentContext")
        except NoConnectException:
            pass
        try:
            office.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            pass
    sys.exit(f"LibreOffice ended with {office.returncode}")


def first_controller(office, context, desktop):
    """The controller of the document that LibreOffice opens by itself.

    Asked to open one from here while it starts, it sometimes waits for itself.
    """
    broadcaster = context.getValueByName("/singletons/com.sun.star.frame.theGlobalEventBroadcaster")
    views = Views()
    broadcaster.addDocumentEventListener(views)
    on_end(office, lambda: views.found.put(None))
    documents = desktop.Components.createEnumeration()
    while documents.hasMoreElements():
        if controller := documents.nextElement().getCurrentController():
            views.found.put(controller)
    controller = views.found.get()
    if controller is None:
        sys.exit(f"LibreOffice ended with {office.returncode}")
    broadcaster.removeDocumentEventListener(views)
    return controller


def main():
    home = sys.argv[1]
    address = f"pipe,name=mullion-{os.getpid()}"
    office = subprocess.Popen([
        "soffice", f"-env:UserInstallation=file://{home}/office", f"--accept={address};urp", "--writer", "--nologo",
        "--norestore", "--nofirststartwizard",
    ])
    context = connect(office, address)
    services = context.ServiceManager
    desktop = services.createInstance("com.sun.star.frame.Desktop")
    controller = first_controller(office, context, desktop)
    document = controller.Model
    dispatcher = services.createInstance("com.sun.star.frame.DispatchHelper")

    def dispatch():
        dispatcher.executeDispatch(controller.Frame, ".uno:InsertBreak", "", 0, ())
        say("dialog closed")

    listener = Listener(document, dispatch)
    controller.addKeyHandler(listener)
    controller.addMouseClickHandler(listener)
    controller.registerContextMenuInterceptor(listener)
    document.addModifyListener(listener)
    say("listening")

    on_end(office, listener.closed.set)
    # LibreOffice stays while it has a connection, even without a window.
    listener.closed.wait()
    try:
        desktop.terminate()
    except DisposedException:
        pass
    status = office.wait()
    say("close")
    os._exit(status)


main()
