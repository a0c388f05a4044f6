#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::map<std::string, int> counts;
    std::string word;
    while (n-- && std::cin >> word) counts[word]++;
    std::vector<std::pair<int, std::string>> order;
    for (const auto &[text, count] : counts) order.push_back({-count, text});
    std::sort(order.begin(), order.end());
    for (const auto &[count, text] : order) std::cout << text << ' ' << -count << '\n';
}
