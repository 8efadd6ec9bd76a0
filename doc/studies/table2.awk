# Programs for doc/studies/table2.sh: a step of TreeRNN with the trees that are read, a batch of them, in Penn brackets
# (hiaton-trees(1)).
#   way    recursion, iteration or unrolling: paper 1's three
#   task   inference: what the root of each tree is taken for; or training: the step of Adam
# Everything of a tree stands in its function or loop, as TensorFlow would have it: a function more would be a frame more.
# What a client feeds is in arrays, and `step` is called when they are there.

BEGIN { trees = nodes = 0 }

# Nodes are numbered in post-order, all trees of a batch on: root[t] is that of tree t, base[t] its first node.
{
    base[trees] = nodes
    count = split(gensubst($0), token, " ")
    depth = 0
    for (i = 1; i <= count; i++) {
        if (token[i] == "(") {
            class[++depth] = token[++i] > 2
            sons[depth] = 0
            text[depth] = ""
        } else if (token[i] == ")") {
            label[nodes] = class[depth]
            left[nodes] = sons[depth] ? first[depth] : -1
            right[nodes] = sons[depth] ? second[depth] : -1
            word[nodes] = text[depth] == "not" ? 0 : substr(text[depth], 2) + 0
            if (--depth > 0 && sons[depth]++)
                second[depth] = nodes
            else if (depth > 0)
                first[depth] = nodes
            nodes++
        } else {
            text[depth] = token[i]
        }
    }
    root[trees++] = nodes - 1
}

function gensubst(line) {
    gsub(/[()]/, " & ", line)
    return line
}

# NAME = [...] of nodes
function fed(name, of, i) {
    printf "%s = [", name
    for (i = 0; i < nodes; i++)
        printf "%s%d", i ? ", " : "", of[i]
    print "]"
}

# The classes of the nodes of tree t, as weights of a cross-entropy.
function fed_classes(t, i) {
    printf "labels%d = tensor([", t
    for (i = base[t]; i <= root[t]; i++)
        printf "%s[%s]", (i > base[t] ? ", " : ""), label[i] ? "0.0, 1.0" : "1.0, 0.0"
    print "])"
}

# What Adam remembers of a param.
function moments(name, shape) {
    printf "param m%s : %s = zeros\nparam v%s : %s = zeros\n", name, shape, name, shape
}

function params() {
    print "param e : [41, 35] = uniform(-0.25, 0.25)"
    print "param w : [70, 35] = uniform(-0.24, 0.24)"
    print "param b : [35] = zeros"
    print "param u : [35, 2] = uniform(-0.4, 0.4)"
    if (task == "training") {
        moments("e", "[41, 35]")
        moments("w", "[70, 35]")
        moments("b", "[35]")
        moments("u", "[35, 2]")
    }
}

# --- a tree, by each of the ways: what is called h, and its loss ---------------------------------

function recursion(t) {
    print "tree(n) ="
    if (task == "inference") {
        print "    if left[n] < 0 then gather(e, word[n])"
        print "    else relu(matmul(concat(tree(left[n]), tree(right[n])), w) + b)"
        return
    }
    print "    if left[n] < 0 then"
    print "        let h = gather(e, word[n]) in (h, real(cross_entropy(matmul(h, u), class[n])))"
    print "    else"
    print "        let (l, below) = tree(left[n]); (r, beside) = tree(right[n]); h = relu(matmul(concat(l, r), w) + b)"
    print "        in (h, below + beside + real(cross_entropy(matmul(h, u), class[n])))"
}

function iterated(t) {
    return sprintf("(loop n = z + %d, hs = zeros([0, 35]) while n <= %d do n + 1, concat(hs, reshape(" \
        "if left[n] < 0 then gather(e, word[n]) else relu(matmul(concat(gather(hs, left[n] - %d), " \
        "gather(hs, right[n] - %d)), w) + b), [1, 35])) return hs)", base[t], root[t], base[t], base[t])
}

function unrolled(t, i) {
    for (i = base[t]; i <= root[t]; i++) {
        if (left[i] < 0)
            printf "    h%d = gather(e, %d);\n", i, word[i]
        else
            printf "    h%d = relu(matmul(concat(h%d, h%d), w) + b);\n", i, left[i], right[i]
        if (task == "training")
            printf "    c%d = real(cross_entropy(matmul(h%d, u), %d));\n", i, i, label[i]
    }
}

# What is asked of tree t: the logits of its root.
function guessed(t) {
    if (way == "recursion")
        return sprintf("matmul(tree(z + %d), u)", root[t])
    if (way == "iteration")
        return sprintf("matmul(gather(%s, %d), u)", iterated(t), root[t] - base[t])
    return sprintf("matmul(h%d, u)", root[t])
}

function loss(t, i, sum) {
    if (way == "recursion") {
        printf "    (_, c%d) = tree(z + %d);\n", t, root[t]
        return "c" t
    }
    if (way == "iteration")
        return sprintf("reduce_sum(cross_entropy(matmul(%s, u), labels%d))", iterated(t), t)
    for (i = base[t]; i <= root[t]; i++)
        sum = sum (sum ? " + " : "") "c" i
    return sum
}

function adam(p) {
    printf "    m%s1 = 0.9 * m%s + 0.1 * g%s; v%s1 = 0.999 * v%s + 0.001 * g%s * g%s;\n", p, p, p, p, p, p, p
    printf "    %s1 = %s - 0.01 * m%s1 / (sqrt(v%s1) + 1e-8);\n", p, p, p, p
}

function print_step(t, all) {
    if (task == "inference") {
        print "step(z) = let"
        for (t = 0; t < trees && way == "unrolling"; t++)
            unrolled(t)
        for (t = 0; t < trees; t++) {
            printf "    p%d = %s;\n", t, guessed(t)
            all = all (t ? ", " : "") "p" t
        }
        print "    done = 0"
        print "    in (done, " all ")"
        return
    }
    print "loss(z) = let"
    for (t = 0; t < trees && way == "unrolling"; t++)
        unrolled(t)
    for (t = 0; t < trees; t++)
        all = all (t ? " + " : "") loss(t)
    print "    weight = 0.01 * (reduce_sum(w * w) + reduce_sum(u * u))"
    print "    in " all " + weight"
    print "step(z) = let (ge, gw, gb, gu) = grad(loss, z; e, w, b, u);"
    adam("e")
    adam("w")
    adam("b")
    adam("u")
    print "    in (e1, w1, b1, u1, me1, mw1, mb1, mu1, ve1, vw1, vb1, vu1)"
}

END {
    params()
    if (way == "recursion")
        recursion()
    if (way != "unrolling") {
        fed("left", left)
        fed("right", right)
        fed("word", word)
        fed("class", label)
    }
    ready = "0"
    if (way != "unrolling")
        ready = "sum(left) + sum(right) + sum(word) + sum(class)"
    for (t = 0; t < trees && way == "iteration" && task == "training"; t++) {
        fed_classes(t)
        ready = ready sprintf(" + int(reduce_sum(labels%d))", t)
    }
    print_step()
    print "result = step(0 * (" ready "))"
}
