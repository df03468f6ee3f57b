// Finds pages and headings whose text has all words of the search box; ENTRIES is a list of
// [page, title, [[heading, anchor], ...]]. Opens the list of pages where there is room for it.
(function () {
  "use strict";
  var box = document.getElementById("search"), list = document.getElementById("found");
  var root = box.getAttribute("data-root"), most = 30;
  document.getElementById("pages").open = window.matchMedia("(min-width: 801px)").matches;

  function score(text, words) {
    var lower = text.toLowerCase(), total = 0;
    for (var i = 0; i < words.length; ++i) {
      var at = lower.indexOf(words[i]);
      if (at < 0) return 0;
      total += lower === words[i] ? 8 : at === 0 ? 4 : /[a-z0-9]/.test(lower[at - 1]) ? 1 : 2;
    }
    return total;
  }

  function find(words) {
    var found = [];
    ENTRIES.forEach(function (page, order) {
      var points = score(page[1], words);
      if (points) found.push([points * 2, order, page[0], page[1], ""]);
      page[2].forEach(function (heading) {
        points = score(heading[0], words);
        if (points) found.push([points, order, page[0] + "#" + heading[1], heading[0], page[1]]);
      });
    });
    return found.sort(function (a, b) { return b[0] - a[0] || a[1] - b[1]; }).slice(0, most);
  }

  function show() {
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.textContent = "";
    list.hidden = !words.length;
    if (!words.length) return;
    var found = find(words);
    found.forEach(function (one) {
      var item = document.createElement("li"), link = document.createElement("a");
      link.href = root + one[2];
      link.textContent = one[3];
      if (one[4]) {
        var page = document.createElement("small");
        page.textContent = " " + one[4];
        link.appendChild(page);
      }
      item.appendChild(link);
      list.appendChild(item);
    });
    if (!found.length) {
      var none = document.createElement("li");
      none.textContent = "nothing found";
      none.style.padding = ".25rem .7rem";
      list.appendChild(none);
    }
  }

  function move(event, links) {
    var at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
    (at < 0 ? box : links[Math.min(at, links.length - 1)]).focus();
  }

  box.addEventListener("input", show);
  document.addEventListener("keydown", function (event) {
    var links = Array.prototype.slice.call(list.querySelectorAll("a"));
    if (event.key === "/" && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    } else if (event.key === "Escape") {
      box.value = "";
      show();
    } else if (event.key === "Enter" && document.activeElement === box && links.length) {
      links[0].click();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && links.length) {
      move(event, links);
    }
  });
})();
