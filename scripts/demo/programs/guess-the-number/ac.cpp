#include <iostream>
#include <string>

int main() {
    int low = 1, high;
    std::cin >> high;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        std::cout << "? " << middle << std::endl;
        std::string answer;
        std::cin >> answer;
        if (answer == "lower") high = middle - 1;
        else low = middle;
    }
    std::cout << "! " << low << std::endl;
}
