import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.Toolkit;
import java.awt.image.BufferedImage;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;

/** Writes the pixels of the screen to a file: bytes of red, green and blue. */
public class RobotProgram {
    public static void main(String[] words) throws Exception {
        Rectangle screen = new Rectangle(Toolkit.getDefaultToolkit().getScreenSize());
        BufferedImage picture = new Robot().createScreenCapture(screen);
        try (OutputStream file = new BufferedOutputStream(new FileOutputStream(words[0]))) {
            for (int y = 0; y < screen.height; y++) {
                for (int x = 0; x < screen.width; x++) {
                    int pixel = picture.getRGB(x, y);
                    file.write(pixel >> 16);
                    file.write(pixel >> 8);
                    file.write(pixel);
                }
            }
        }
    }
}
