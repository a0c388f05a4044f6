#include <iostream>

int main() {
    long long n, a = 0, b = 1;
    std::cin >> n;
    while (n--) {
        long long next = (a + b) % 1'000'000'007;
        a = b;
        b = next;
    }
    std::cout << a << "\n";
}
