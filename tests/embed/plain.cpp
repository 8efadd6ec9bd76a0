// The header in C++: a session in the hands of a unique_ptr.
#include <hiaton.h>

#include <iostream>
#include <memory>
#include <string>

struct Free {
    void operator()(hiaton_program *p) const
    {
        hiaton_program_free(p);
    }
    void operator()(hiaton_session *s) const
    {
        hiaton_session_free(s);
    }
};

int main()
{
    const std::string text = "input n = 5\nresult = n * n\n";
    std::unique_ptr<hiaton_program, Free> program(
        hiaton_program_read(text.data(), text.size(), nullptr, nullptr));
    std::unique_ptr<hiaton_session, Free> session(
        hiaton_session_new(program.get(), nullptr, nullptr, nullptr));
    const int64_t n = 12;
    hiaton_session_input(session.get(), "n", HIATON_INT, 0, nullptr, &n);
    if (hiaton_session_advance(session.get(), nullptr) != HIATON_ENDED)
        return 1;
    hiaton_ending ending{};
    ending.size = sizeof ending;
    hiaton_session_ending(session.get(), &ending);
    std::cout << ending.name << " " << ending.result << "\n";
}
