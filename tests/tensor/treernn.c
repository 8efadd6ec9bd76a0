/* TreeRNN in plain C, from the formulas: it includes nothing of Hiaton, and knows nothing of its
 * language, gradients or kernels. tests/shell/train.sh compares what `hiaton train' comes to with
 * it.
 *
 *     treernn TREES START METHOD RATE STEPS     prints the loss before each step, a line each
 *     treernn TREES START METHOD RATE STEPS END
 *                              prints the greatest difference to the params in END instead
 *
 * TREES are in Penn brackets. START and END are folders with e.npy, w.npy, b.npy and u.npy. METHOD
 * is sgd or adam. Each step takes all trees.
 *
 * A leaf has the row of e of its word, h; an inner node relu of its children, side by side, times
 * w, and b. Each node has a cross-entropy: of h times u, and its class, which is 1 from label 3 on.
 * The loss of a tree is their sum, and 0.01 times the squares of w and u. That of a step is the
 * mean of all trees. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D = 35, WORDS = 100, NODES = 10000, PARAMS = 4 };
enum { E, W, B, U };

struct param {
    double value[WORDS * D], gradient[WORDS * D], m[WORDS * D], v[WORDS * D];
    size_t count;
};

static struct param params[PARAMS];
static const char *const names[PARAMS] = {"e", "w", "b", "u"};

static int left[NODES], right[NODES], word[NODES], class[NODES], node_count;
static int roots[NODES], root_count;
static char words[WORDS][32];
static int word_count;
static double h[NODES][D], adjoint[NODES][D];

static void expect(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "treernn: expected %s\n", what);
        exit(2);
    }
}

/* --- reading ------------------------------------------------------------------------------- */

static int number_of(const char *text)
{
    for (int i = 0; i < word_count; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    expect(word_count < WORDS, "fewer words");
    strcpy(words[word_count], text);
    return word_count++;
}

/* Behind the bracket that opens a node. */
static int read_node(FILE *file)
{
    char text[32];
    int label, l = -1, r = -1, w = -1;
    expect(fscanf(file, "%d ", &label) == 1, "a label");
    int c = getc(file);
    if (c == '(') {
        l = read_node(file);
        expect(fscanf(file, " %c", text) == 1 && *text == '(', "a second child");
        r = read_node(file);
    } else {
        ungetc(c, file);
        expect(fscanf(file, "%31[^()]", text) == 1, "a word");
        w = number_of(text);
    }
    expect(getc(file) == ')', "`)'");
    expect(node_count < NODES, "fewer nodes");
    left[node_count] = l;
    right[node_count] = r;
    word[node_count] = w;
    class[node_count] = label > 2;
    return node_count++;
}

static void read_trees(const char *name)
{
    FILE *file = fopen(name, "r");
    char open;
    expect(file != NULL, name);
    while (fscanf(file, " %c", &open) == 1)
        roots[root_count++] = read_node(file);
    fclose(file);
}

/* Reals behind a header: of version 1.0, little-endian, in C order. */
static size_t read_param(const char *folder, const char *name, double *values)
{
    char path[1000];
    unsigned char head[10];
    snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    FILE *file = fopen(path, "rb");
    expect(file && fread(head, 1, 10, file) == 10 && head[6] == 1, path);
    fseek(file, 10 + head[8] + 256 * head[9], SEEK_SET);
    const size_t count = fread(values, sizeof *values, (size_t)WORDS * D, file);
    expect(getc(file) == EOF, "fewer words in a param");
    fclose(file);
    return count;
}

/* --- a step --------------------------------------------------------------------------- */

static double *input(int node, int i)
{
    return i < D ? &h[left[node]][i] : &h[right[node]][i - D];
}

static void forward(int node)
{
    for (int j = 0; j < D; j++) {
        double sum = params[B].value[j];
        if (left[node] < 0) {
            h[node][j] = params[E].value[word[node] * D + j];
            continue;
        }
        for (int i = 0; i < 2 * D; i++)
            sum += *input(node, i) * params[W].value[i * D + j];
        h[node][j] = sum > 0 ? sum : 0;
    }
}

/* Returns the cross-entropy of a node; adds its part of the gradients. */
static double judge(int node)
{
    double logits[2] = {0}, loss;
    for (int i = 0; i < D; i++)
        for (int k = 0; k < 2; k++)
            logits[k] += h[node][i] * params[U].value[2 * i + k];
    loss = log(exp(logits[0]) + exp(logits[1])) - logits[class[node]];
    for (int k = 0; k < 2; k++) {
        const double share = exp(logits[k]) / (exp(logits[0]) + exp(logits[1]));
        const double by_logit = share - (class[node] == k);
        for (int i = 0; i < D; i++) {
            params[U].gradient[2 * i + k] += h[node][i] * by_logit;
            adjoint[node][i] += params[U].value[2 * i + k] * by_logit;
        }
    }
    return loss;
}

/* What the parents of a node gave it is complete. */
static void backward(int node)
{
    for (int j = 0; j < D; j++) {
        const double by_sum = h[node][j] > 0 ? adjoint[node][j] : 0;
        if (left[node] < 0) {
            params[E].gradient[word[node] * D + j] += adjoint[node][j];
            continue;
        }
        params[B].gradient[j] += by_sum;
        for (int i = 0; i < 2 * D; i++) {
            params[W].gradient[i * D + j] += *input(node, i) * by_sum;
            *(i < D
                  ? &adjoint[left[node]][i]
                  : &adjoint[right[node]][i - D]) += params[W].value[i * D + j] * by_sum;
        }
    }
}

/* Returns the mean loss; the gradients are those of the mean. */
static double differentiate(void)
{
    double loss = 0;
    memset(adjoint, 0, sizeof adjoint);
    for (int p = 0; p < PARAMS; p++)
        memset(params[p].gradient, 0, sizeof params[p].gradient);
    for (int n = 0; n < node_count; n++) {
        forward(n);
        loss += judge(n);
    }
    for (int n = node_count - 1; n >= 0; n--)
        backward(n);
    loss /= root_count;
    for (int p = 0; p < PARAMS; p++)
        for (size_t i = 0; i < params[p].count; i++) {
            const double value = params[p].value[i];
            params[p].gradient[i] /= root_count;
            if (p == W || p == U) {
                loss += 0.01 * value * value;
                params[p].gradient[i] += 0.02 * value;
            }
        }
    return loss;
}

static void go_down(bool is_adam, double rate, int step)
{
    for (int p = 0; p < PARAMS; p++)
        for (size_t i = 0; i < params[p].count; i++) {
            struct param *of = &params[p];
            const double g = of->gradient[i];
            double by = g;
            if (is_adam) {
                of->m[i] = 0.9 * of->m[i] + 0.1 * g;
                of->v[i] = 0.999 * of->v[i] + 0.001 * g * g;
                by = of->m[i] / (1 - pow(0.9, step)) /
                     (sqrt(of->v[i] / (1 - pow(0.999, step))) + 1e-8);
            }
            of->value[i] -= rate * by;
        }
}

int main(int argc, char **argv)
{
    expect(argc == 6 || argc == 7, "TREES START METHOD RATE STEPS [END]");
    read_trees(argv[1]);
    for (int p = 0; p < PARAMS; p++)
        params[p].count = read_param(argv[2], names[p], params[p].value);
    expect(params[E].count == (size_t)word_count * D, "a row for each word");
    for (int step = 1; step <= atoi(argv[5]); step++) {
        const double loss = differentiate();
        if (argc == 6)
            printf("%.17g\n", loss);
        go_down(strcmp(argv[3], "adam") == 0, atof(argv[4]), step);
    }
    double most = 0;
    for (int p = 0; p < PARAMS && argc == 7; p++) {
        static double end[WORDS * D];
        expect(read_param(argv[6], names[p], end) == params[p].count, "as many elements");
        for (size_t i = 0; i < params[p].count; i++)
            most = fmax(most, fabs(end[i] - params[p].value[i]));
    }
    if (argc == 7)
        printf("%.3g\n", most);
    return 0;
}
