/* LIB_EACH: applies a macro to each of its arguments. */
#ifndef LIB_EACH_H
#define LIB_EACH_H

/* Expands to (apply(context, a), apply(context, b), ...), for up to 8 arguments a, b, ... */
#define LIB_EACH(apply, context, ...)                                                    \
    (LIB_EACH_PICK(__VA_ARGS__, LIB_EACH_8, LIB_EACH_7, LIB_EACH_6, LIB_EACH_5,          \
                   LIB_EACH_4, LIB_EACH_3, LIB_EACH_2, LIB_EACH_1,                       \
                   0)(apply, context, __VA_ARGS__))

#define LIB_EACH_PICK(a, b, c, d, e, f, g, h, chosen, ...) chosen
#define LIB_EACH_1(f, to, a) f(to, a)
#define LIB_EACH_2(f, to, a, ...) f(to, a), LIB_EACH_1(f, to, __VA_ARGS__)
#define LIB_EACH_3(f, to, a, ...) f(to, a), LIB_EACH_2(f, to, __VA_ARGS__)
#define LIB_EACH_4(f, to, a, ...) f(to, a), LIB_EACH_3(f, to, __VA_ARGS__)
#define LIB_EACH_5(f, to, a, ...) f(to, a), LIB_EACH_4(f, to, __VA_ARGS__)
#define LIB_EACH_6(f, to, a, ...) f(to, a), LIB_EACH_5(f, to, __VA_ARGS__)
#define LIB_EACH_7(f, to, a, ...) f(to, a), LIB_EACH_6(f, to, __VA_ARGS__)
#define LIB_EACH_8(f, to, a, ...) f(to, a), LIB_EACH_7(f, to, __VA_ARGS__)

#endif
