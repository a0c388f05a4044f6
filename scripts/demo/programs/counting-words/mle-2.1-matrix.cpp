#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<std::string> words(n), names;
    for (auto &word : words) std::cin >> word;
    names = words;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    // Marks which word stands where: a row for each.
    std::vector<std::vector<int>> is(names.size());
    std::vector<std::pair<int, std::string>> order;
    for (size_t i = 0; i < names.size(); i++) {
        is[i].resize(n);
        int count = 0;
        for (int k = 0; k < n; k++) count += is[i][k] = words[k] == names[i];
        order.push_back({-count, names[i]});
    }
    std::sort(order.begin(), order.end());
    for (auto &[count, word] : order) std::cout << word << ' ' << -count << '\n';
}
