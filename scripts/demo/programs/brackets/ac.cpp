#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string text;
    std::cin >> text;
    std::vector<char> open;
    bool balanced = true;
    for (char c : text) {
        if (c == '(') open.push_back(')');
        else if (c == '[') open.push_back(']');
        else if (c == '{') open.push_back('}');
        else if (!open.empty() && open.back() == c) open.pop_back();
        else balanced = false;
    }
    std::cout << (balanced && open.empty() ? "yes" : "no") << "\n";
}
