-- Has mpv print the events it receives, one line each on standard output.

local text = ""

local function say(...)
    io.stdout:write(table.concat({...}, " "), "\n")
    io.stdout:flush()
end

for button, name in ipairs({"MBTN_LEFT", "MBTN_MID", "MBTN_RIGHT"}) do
    mp.add_forced_key_binding(name, "button" .. button, function()
        say("clicked", button)
    end)
end
mp.add_forced_key_binding("any_unicode", "text", function(event)
    if event.event ~= "up" then
        text = text .. event.key_text
        say("text", text)
    end
end, {complex = true, repeatable = true})
mp.add_forced_key_binding("SPACE", "space", function()
    text = text .. " "
    say("text", text)
end)
mp.add_forced_key_binding("CLOSE_WIN", "close", function()
    say("close")
    mp.command("quit")
end)
mp.observe_property("mouse-pos", "native", function(_, place)
    if place then say("pointer", string.format("%d %d", place.x, place.y)) end
end)
mp.observe_property("osd-dimensions", "native", function(_, size)
    if size and size.w > 0 then say("place area 0 0", string.format("%d %d", size.w, size.h)) end
end)
