#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, k;
    std::cin >> n >> k;
    std::vector<int> v(n);
    for (int &value : v) std::cin >> value;
    int worth = 0, best = -1'000'000'000;
    for (int i = 0; i < k; i++) worth += v[i];
    for (int i = 0; i + k < n; i++) {
        best = std::max(best, worth);
        worth += v[i + k] - v[i];
    }
    std::cout << best << "\n";
}
