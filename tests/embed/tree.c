/* Data as a result: a host takes constructors and fields apart. Prints the keys of a search tree in
 * order, and the sum of a list that is too long for a function that calls itself. */
#include <hiaton.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "data Tree = Leaf | Node(left: Tree, key: int, right: Tree)\n"
    "insert(t, k) = case t of Leaf -> Node(Leaf, k, Leaf)\n"
    "  | Node(l, m, r) if k < m -> Node(insert(l, k), m, r)\n"
    "  | Node(l, m, r) -> Node(l, m, insert(r, k))\n"
    "input n = 20000\n"
    "result = (loop t = Leaf, i = 0 while i < 7 do (insert(t, i * 3 % 7), i + 1) return "
    "t,\n"
    "  loop xs = Nil, i = 1 while i <= n do (Cons(i, xs), i + 1) return xs)\n";

static int print_keys(struct hiaton_session *session, const struct hiaton_item *tree)
{
    struct hiaton_item field = {.size = sizeof field};
    if (strcmp(tree->constructor, "Leaf") == 0)
        return 0;
    hiaton_session_item(session, tree, 0, &field);
    const int left = print_keys(session, &field);
    hiaton_session_item(session, tree, 1, &field);
    printf("%s %d, ", field.field, (int)field.word);
    hiaton_session_item(session, tree, 2, &field);
    const int right = print_keys(session, &field);
    return 1 + (left > right ? left : right);
}

static long long sum(struct hiaton_session *session, struct hiaton_item list)
{
    struct hiaton_item head = {.size = sizeof head};
    long long total = 0;
    while (list.count > 0) { /* Nil has no fields */
        hiaton_session_item(session, &list, 0, &head);
        hiaton_session_item(session, &list, 1, &list);
        total += (int64_t)head.word;
    }
    return total;
}

int main(void)
{
    struct hiaton_program *program = hiaton_program_read(text, strlen(text), NULL, NULL);
    struct hiaton_session *session = hiaton_session_new(program, NULL, NULL, NULL);
    struct hiaton_item tree = {.size = sizeof tree}, list = {.size = sizeof list};
    if (hiaton_session_advance(session, NULL) != HIATON_ENDED ||
        hiaton_session_item(session, NULL, 0, &tree) != HIATON_OK ||
        hiaton_session_item(session, NULL, 1, &list) != HIATON_OK)
        return 1;
    printf("depth %d\n", print_keys(session, &tree));
    printf("sum %lld\n", sum(session, list));
    hiaton_session_free(session);
    hiaton_program_free(program);
    return 0;
}
