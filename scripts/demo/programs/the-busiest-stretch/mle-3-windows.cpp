#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
    int n, k;
    std::cin >> n >> k;
    std::vector<int> v(n);
    for (int &value : v) std::cin >> value;
    std::vector<std::vector<int>> windows;
    for (int i = 0; i + k <= n; i++) windows.emplace_back(v.begin() + i, v.begin() + i + k);
    int best = -1'000'000'000;
    for (auto &window : windows) best = std::max(best, std::accumulate(window.begin(), window.end(), 0));
    std::cout << best << "\n";
}
