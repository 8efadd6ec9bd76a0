/* A report: zoom of the timeline and of the flame graph. All else is read without it. Drawn is what
 * analysis/report/gantt_draw.c draws, of a part of the run. */
(function () {
    "use strict";
    document.documentElement.classList.add("js");

    function make(name, attributes, parent) {
        var element = document.createElementNS(parent.namespaceURI, name);
        Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]); });
        parent.appendChild(element);
        return element;
    }
    function empty(element) {
        while (element.firstChild) element.removeChild(element.firstChild);
    }
    function say(id, text) {
        document.getElementById(id).textContent = text;
    }

    /* --- the timeline ------------------------------------------------------------------------ */

    function startGantt() {
        var place = document.getElementById("gantt-data");
        if (!place) return;
        var data = JSON.parse(place.textContent);
        var svg = document.getElementById("gantt"), marks = document.getElementById("gantt-marks");
        var axis = document.getElementById("gantt-axis"), all = data.cycles, from = 0, to = all;
        var bottom = data.top + data.rows * data.height, most = 3000;
        var firings = [], flights = [], longest = 1;
        var clip = make("clipPath", {id: "gantt-clip"}, svg);
        make("rect", {x: data.left, y: 0, width: data.right - data.left, height: bottom}, clip);
        marks.setAttribute("clip-path", "url(#gantt-clip)");
        if (data.firings) {
            var cycle = 0, i;
            for (i = 0; i < data.firings.length; i += 5) {
                cycle += data.firings[i];
                firings.push([cycle, data.firings[i + 1], data.firings[i + 2], data.firings[i + 3], data.firings[i + 4]]);
                longest = Math.max(longest, data.firings[i + 1]);
            }
            for (i = 0; i < data.flights.length; i += 4)
                flights.push(data.flights.slice(i, i + 4));
        }
        function x(cycle) { return data.left + (data.right - data.left) * (cycle - from) / (to - from); }
        function y(row) { return data.top + row * data.height; }
        function row(pe) { return Math.floor(pe / data.perRow); }
        function drawAxis() {
            var step = 1, i = 0, at;
            while ((to - from) / step > 10) { step = i % 3 === 1 ? step / 2 * 5 : step * 2; i++; }
            empty(axis);
            for (at = Math.ceil(from / step) * step; at <= to; at += step) {
                make("path", {d: "M" + x(at).toFixed(1) + " " + (data.top - 4) + "V" + bottom}, axis);
                make("text", {x: x(at).toFixed(1), y: data.top - 8}, axis).textContent = String(at);
            }
        }
        function drawEach(shown, flying) {
            var group = make("g", {"class": "firings"}, marks), slot = (data.height - 2) / data.slots;
            shown.forEach(function (f) {
                var node = data.nodes[f[4]], width = x(f[0] + f[1]) - x(f[0]);
                var mark = make("rect", {"class": "c" + node[0], x: x(f[0]).toFixed(2), y: (y(row(f[2])) + 1 + f[3] * slot).toFixed(1),
                    width: (width > 0.6 ? width * 0.92 : width).toFixed(2), height: slot.toFixed(1)}, group);
                make("title", {}, mark).textContent = "cycle " + f[0] + ", " + data.place + " " + f[2] + ", " + node[1];
            });
            group = make("g", {"class": "flights"}, marks);
            flying.forEach(function (f) {
                make("path", {d: "M" + x(f[0]).toFixed(1) + " " + (y(row(f[2])) + data.height / 2) + "L" + x(f[1]).toFixed(1) + " " +
                    (y(row(f[3])) + data.height / 2)}, group);
            });
        }
        function drawLevels() {
            var first = Math.floor(from / data.width), last = Math.ceil(to / data.width);
            var each = Math.max(1, Math.ceil((last - first) / 256)), group = make("g", {"class": "levels"}, marks);
            var paths = ["", "", "", "", "", "", "", "", "", ""], r, s, k, end, level;
            for (r = 0; r !== data.rows; r++)
                for (s = first; s < last; s += each) {
                    end = Math.min(s + each, data.levels[r].length);
                    for (level = 0, k = s; k < end; k++)
                        level += Number(data.levels[r].charAt(k));
                    level = end > s ? Math.ceil(level / (end - s)) : 0;
                    if (level)
                        paths[level] += "M" + x(s * data.width).toFixed(1) + " " + y(r) + "H" +
                            x(Math.min(all, (s + each) * data.width)).toFixed(1) + "v" + (data.height - (data.height > 4 ? 1 : 0)) +
                            "H" + x(s * data.width).toFixed(1) + "z";
                }
            for (level = 1; level !== 10; level++)
                make("path", {"class": "u" + level, d: paths[level]}, group);
            group = make("g", {"class": "flows"}, marks);
            for (k = 0; k < data.flows.length; k += 5)
                if (data.flows[k] < to && data.flows[k + 1] > from) {
                    var line = make("path", {d: "M" + x(data.flows[k]).toFixed(1) + " " + (y(data.flows[k + 3]) + data.height / 2) +
                        "L" + x(Math.min(all, data.flows[k + 1])).toFixed(1) + " " + (y(data.flows[k + 4]) + data.height / 2)}, group);
                    line.style.strokeWidth = String(0.4 + 2.2 * data.flows[k + 2] / data.flows[2]);
                    make("title", {}, line).textContent = data.flows[k + 2] + " tokens";
                }
        }
        function drawPath() {
            var d = "", i;
            for (i = 0; i < data.path.length; i += 3)
                d += (i ? "L" : "M") + x(data.path[i]).toFixed(1) + " " + (y(data.path[i + 2]) + data.height / 2) + "H" + x(data.path[i + 1]).toFixed(1);
            if (d) make("path", {"class": "critical", d: d}, marks);
        }
        function draw() {
            var shown = firings.filter(function (f) { return f[0] < to && f[0] + f[1] > from; });
            var flying = flights.filter(function (f) { return f[0] < to && f[1] > from; });
            drawAxis();
            empty(marks);
            if (data.firings && most >= shown.length && most >= flying.length) drawEach(shown, flying);
            else drawLevels();
            drawPath();
            say("gantt-place", "Cycles " + Math.floor(from) + " to " + Math.ceil(to) + " of " + all);
        }
        function show(a, b, isAsked) {
            var least = Math.min(all, data.firings ? 8 : 8 * data.width);
            var width = Math.min(all, Math.max(least, b - a));
            from = Math.min(Math.max(0, a), all - width);
            to = from + width;
            draw();
            if (isAsked) history.replaceState(null, "", from === 0 && to === all ? "#timeline" : "#gantt=" + Math.floor(from) + "-" + Math.ceil(to));
        }
        function zoom(factor, at) {
            var center = at === undefined ? (from + to) / 2 : at;
            show(center - (center - from) * factor, center + (to - center) * factor, true);
        }
        function pan(part) { var by = (to - from) * part; show(from + by, to + by, true); }
        function toggle(id, what) {
            return function () {
                say(id, (svg.classList.toggle("no-" + what) ? "Show " : "Hide ") + what);
            };
        }
        var actions = {
            "gantt-in": function () { zoom(0.5); }, "gantt-out": function () { zoom(2); },
            "gantt-left": function () { pan(-0.25); }, "gantt-right": function () { pan(0.25); },
            "gantt-all": function () { show(0, all, true); },
            "gantt-tokens": toggle("gantt-tokens", "tokens"), "gantt-path": toggle("gantt-path", "path")
        };
        Object.keys(actions).forEach(function (id) { document.getElementById(id).addEventListener("click", actions[id]); });
        var area = document.getElementById("gantt-area");
        area.addEventListener("keydown", function (event) {
            var keys = {"+": "gantt-in", "=": "gantt-in", "-": "gantt-out", "ArrowLeft": "gantt-left", "ArrowRight": "gantt-right", "0": "gantt-all"};
            if (keys[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
                actions[keys[event.key]]();
                event.preventDefault();
            }
        });
        function cycleAt(event) {
            var box = svg.getBoundingClientRect(), at = (event.clientX - box.left) / box.width * 1000;
            return from + (at - data.left) / (data.right - data.left) * (to - from);
        }
        svg.addEventListener("wheel", function (event) {
            if (!event.ctrlKey) return;
            zoom(event.deltaY > 0 ? 1.25 : 0.8, cycleAt(event));
            event.preventDefault();
        }, {passive: false});
        var begun = null;
        svg.addEventListener("pointerdown", function (event) { begun = event.button === 0 ? cycleAt(event) : null; });
        svg.addEventListener("pointerup", function (event) {
            var end = cycleAt(event), small = (to - from) / 50;
            if (begun !== null && Math.abs(end - begun) > small) show(Math.min(begun, end), Math.max(begun, end), true);
            begun = null;
        });
        function follow() {
            var named = /^#gantt=([0-9]+)-([0-9]+)$/.exec(location.hash);
            if (!named) return;
            show(Number(named[1]), Number(named[2]), false);
            document.getElementById("timeline").scrollIntoView();
        }
        window.addEventListener("hashchange", follow);
        say("gantt-place", "Cycles 0 to " + all + " of " + all);
        follow();
    }

    /* --- the flame graph ------------------------------------------------------------------------ */

    function startFlame() {
        var svg = document.getElementById("flame");
        if (!svg) return;
        var frames = Array.prototype.slice.call(svg.querySelectorAll(".f"));
        var names = frames.map(function (f) { return f.getAttribute("data-n"); });
        function show(x, width) {
            frames.forEach(function (frame, i) {
                var left = (Number(frame.getAttribute("data-x")) - x) * 1000 / width;
                var wide = Number(frame.getAttribute("data-w")) * 1000 / width;
                var a = Math.max(0, left), b = Math.min(1000, left + wide), text = frame.nextElementSibling;
                frame.style.display = b - a > 0.5 ? "" : "none";
                frame.querySelector("rect").setAttribute("x", a.toFixed(2));
                frame.querySelector("rect").setAttribute("width", Math.max(0, b - a).toFixed(2));
                var room = Math.floor((b - a - 6) / 7), name = names[i];
                text.setAttribute("x", (a + 3).toFixed(2));
                text.textContent = b - a > 21 ? name.slice(0, room) : "";
            });
        }
        svg.setAttribute("role", "group");
        frames.forEach(function (frame) {
            frame.setAttribute("role", "button");
            frame.setAttribute("tabindex", "0");
            frame.setAttribute("aria-label", frame.querySelector("title").textContent);
            function zoom() { show(Number(frame.getAttribute("data-x")), Number(frame.getAttribute("data-w"))); }
            frame.addEventListener("click", zoom);
            frame.addEventListener("keydown", function (event) {
                if (event.key === "Enter" || event.key === " ") { zoom(); event.preventDefault(); }
                if (event.key === "Escape") show(0, 1000);
            });
        });
        document.getElementById("flame-all").addEventListener("click", function () { show(0, 1000); });
    }

    /* The graph as large as it was drawn, or as wide as the page. */
    function startGraph() {
        var button = document.getElementById("graph-size");
        button.addEventListener("click", function () {
            var whole = document.querySelector(".drawing").classList.toggle("whole");
            say("graph-size", whole ? "Fit the page" : "Full size");
        });
    }

    /* A link into what is folded opens it. */
    function openTarget() {
        var name = location.hash.slice(1), target = name && document.getElementById(name);
        for (var at = target; at; at = at.parentElement)
            if (at.tagName.toLowerCase() === "details") at.open = true;
        if (target) target.scrollIntoView();
    }
    startGantt();
    startFlame();
    startGraph();
    window.addEventListener("hashchange", openTarget);
    if (location.hash.indexOf("=") === -1) openTarget();
}());
