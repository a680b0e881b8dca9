import java.awt.BorderLayout;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.GridLayout;
import java.awt.KeyboardFocusManager;
import java.awt.Rectangle;
import java.awt.event.ComponentAdapter;
import java.awt.event.ComponentEvent;
import java.awt.event.KeyEvent;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.swing.JButton;
import javax.swing.JComboBox;
import javax.swing.JFrame;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JOptionPane;
import javax.swing.JPanel;
import javax.swing.JPopupMenu;
import javax.swing.JTextField;
import javax.swing.SwingUtilities;
import javax.swing.ToolTipManager;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.event.PopupMenuEvent;
import javax.swing.event.PopupMenuListener;

/**
 * A Swing program that prints the events it receives, one line each on standard output.
 *
 * It also prints the positions of its widgets ("place NAME X Y WIDTH HEIGHT", in pixels of the window) for tests. F7 opens a
 * modal dialog. Its argument is the window's title.
 */
final class SwingProgram {
    private final JFrame frame;
    private final JTextField entry = new JTextField();
    private final JButton button = new JButton("Button");
    private final JComboBox<String> choice = new JComboBox<>(new String[] {"one", "two", "three"});
    private final JMenu menu = new JMenu("Menu");
    private final JPanel area = new JPanel();
    private final Map<String, Rectangle> places = new LinkedHashMap<>();

    public static void main(String[] arguments) {
        SwingUtilities.invokeLater(() -> new SwingProgram(arguments[0]));
    }

    private static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }

    private SwingProgram(String title) {
        frame = new JFrame(title);
        // Menus, lists and tooltips are windows of their own, as they are when they exceed this one.
        JPopupMenu.setDefaultLightWeightPopupEnabled(false);
        ToolTipManager.sharedInstance().setLightWeightPopupEnabled(false);
        ToolTipManager.sharedInstance().setInitialDelay(0);
        JMenuItem item = new JMenuItem("Item");
        item.addActionListener(event -> say("clicked item"));
        menu.add(item);
        JMenuBar bar = new JMenuBar();
        bar.add(menu);
        frame.setJMenuBar(bar);
        button.setToolTipText("A tip");
        button.addActionListener(event -> say("clicked button"));
        choice.addActionListener(event -> say("selected " + choice.getSelectedIndex()));
        JPanel top = new JPanel(new GridLayout(3, 1));
        top.add(entry);
        top.add(button);
        top.add(choice);
        frame.add(top, BorderLayout.NORTH);
        frame.add(area, BorderLayout.CENTER);
        listen();
        frame.setDefaultCloseOperation(JFrame.DO_NOTHING_ON_CLOSE);
        frame.setPreferredSize(new Dimension(360, 300));
        frame.pack();
        frame.setVisible(true);
    }

    private void listen() {
        entry.getDocument().addDocumentListener(new DocumentListener() {
            public void insertUpdate(DocumentEvent event) { say("text " + entry.getText()); }
            public void removeUpdate(DocumentEvent event) { say("text " + entry.getText()); }
            public void changedUpdate(DocumentEvent event) {}
        });
        menu.getPopupMenu().addPopupMenuListener(new PopupMenuListener() {
            public void popupMenuWillBecomeVisible(PopupMenuEvent event) { say("menu opened"); }
            public void popupMenuWillBecomeInvisible(PopupMenuEvent event) { say("menu closed"); }
            public void popupMenuCanceled(PopupMenuEvent event) {}
        });
        area.addMouseListener(new MouseAdapter() {
            @Override public void mousePressed(MouseEvent event) {
                say("clicked " + event.getButton() + " " + event.getX() + " " + event.getY());
            }
        });
        area.addMouseWheelListener(event -> say("scrolled 0 " + event.getWheelRotation()));
        frame.addComponentListener(new ComponentAdapter() {
            @Override public void componentShown(ComponentEvent event) { tellPlaces(); }
            @Override public void componentResized(ComponentEvent event) { tellPlaces(); }
        });
        frame.addWindowListener(new WindowAdapter() {
            @Override public void windowActivated(WindowEvent event) { say("focus in"); }
            @Override public void windowDeactivated(WindowEvent event) { say("focus out"); }
            @Override public void windowClosing(WindowEvent event) {
                say("close");
                System.exit(0);
            }
        });
        KeyboardFocusManager.getCurrentKeyboardFocusManager().addKeyEventDispatcher(event -> {
            if (event.getID() != KeyEvent.KEY_PRESSED || event.getKeyCode() != KeyEvent.VK_F7) return false;
            // It returns when the dialog is closed.
            SwingUtilities.invokeLater(this::ask);
            return true;
        });
    }

    private void tellPlaces() {
        // After the layout of the new size.
        frame.validate();
        Map<String, Component> widgets = Map.of("entry", entry, "button", button, "choice", choice, "menu", menu, "area", area);
        widgets.forEach((name, widget) -> {
            Rectangle bounds = SwingUtilities.convertRectangle(widget.getParent(), widget.getBounds(), frame);
            if (bounds.equals(places.put(name, bounds))) return;
            say("place " + name + " " + bounds.x + " " + bounds.y + " " + bounds.width + " " + bounds.height);
        });
    }

    private void ask() {
        JOptionPane.showMessageDialog(frame, "A message", "Dialog", JOptionPane.PLAIN_MESSAGE);
        say("dialog closed");
    }
}
