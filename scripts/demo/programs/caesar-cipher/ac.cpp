#include <iostream>
#include <string>

int main() {
    long long k;
    std::string text;
    std::cin >> k;
    std::cin.ignore();
    std::getline(std::cin, text);
    for (char &c : text) {
        if ('a' <= c && c <= 'z') c = 'a' + (c - 'a' + k) % 26;
        else if ('A' <= c && c <= 'Z') c = 'A' + (c - 'A' + k) % 26;
    }
    std::cout << text << "\n";
}
