#include <iostream>
#include <string>

int main() {
    unsigned long long value = 0, rest = 0, product = 1;
    std::cin >> value;
    rest = value;
    for (unsigned long long prime = 2; prime * prime <= rest; ++prime) {
        unsigned long long power = 1, series = 1;
        while (rest % prime == 0) {
            rest /= prime;
            power *= prime;
            series += power;
        }
        product *= series;
    }
    if (rest > 1) product *= rest + 1;
    std::string word = "perfect";
    if (product < 2 * value) word = "deficient";
    else if (product > 2 * value) word = "abundant";
    std::cout << product << '\n' << word << std::endl;
}
