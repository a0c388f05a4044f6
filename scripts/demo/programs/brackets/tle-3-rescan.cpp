#include <iostream>
#include <string>

int main() {
    std::string text;
    std::cin >> text;
    for (bool changed = true; changed;) {
        changed = false;
        for (const char *pair : {"()", "[]", "{}"}) {
            size_t at = std::string(text).rfind(pair);
            if (at == std::string::npos) continue;
            text = text.substr(0, at) + text.substr(at + 2);
            changed = true;
        }
    }
    std::cout << (text.empty() ? "yes" : "no") << "\n";
}
