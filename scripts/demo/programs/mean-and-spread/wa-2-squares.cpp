#include <cmath>
#include <cstdio>

int main() {
    int n;
    float x, sum = 0, squares = 0;
    std::scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        std::scanf("%f", &x);
        sum += x;
        squares += x * x;
    }
    std::printf("%f %f\n", sum / n, std::sqrt(squares / n - sum / n * (sum / n)));
}
