#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    int n;
    std::scanf("%d", &n);
    std::vector<double> x(n);
    double mean = 0, variance = 0;
    for (double &value : x) {
        std::scanf("%lf", &value);
        mean += value / n;
    }
    for (double value : x) variance += (value - mean) * (value - mean) / n;
    std::printf("%.6f %.6f\n", mean, std::sqrt(variance));
}
