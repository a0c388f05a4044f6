#include <iostream>

int main() {
    int k;
    string text;
    std::cin >> k;
    std::getline(std::cin, text);
    for (char &c : text) c += k;
    std::cout << text << "\n";
}
