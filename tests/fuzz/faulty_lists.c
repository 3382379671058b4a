/* Of fuzz_lists.c and fuzz_complain.c: lists of names are changed on their way to the target. The
 * linker puts the functions with __wrap_ before those of gate/lists.c. There is a list with a table
 * in it and one that is refused.
 */
#include "faulty.h"

#include "fuzz_support.h"
#include "gate/lists.h"

#include <stdlib.h>
#include <string.h>

static const faulty_case cases[] = {
    {"none", NULL},
    {"use of another command", "it is the use of a command that is wrong"},
    {"complaint of two lines", "a complaint is one line"},
    {"another name", "a name is what stands between the separators"},
    {"name too many", "a list has no other names"},
    {"name without memory", "the system has memory"},
    {"file that is taken", "a file is refused as its bytes are"},
    {"file that is refused", "a file is refused as its bytes are"},
    {"refusal that is not told", "what is refused is told once"},
    {"refusal that is told twice", "what is refused is told once"},
    {"another name in a file", "a file has the names of its bytes"},
    {"name too many in a file", "a file has the names of its bytes"},
    {"written list that is refused", "what is written is read"},
    {"another name in a written list", "what is written is read back"},
    {"name that stays twice", "each name is there once, where it first stood"},
    {"name that comes back", "no name is there twice"},
    {"order that falls", "names rise as those of a walk"},
    {"name that the order loses", "no name is lost"},
    {"names that the order adds", "there are no other names"},
    {"line too many in a table", "a table has as many names as lines"},
    {"table that is not cut", "a name of a table is its first column"},
    {"list that is refused", "a list is refused for what is wrong with it"},
    {"list in one that is refused", "a list in pieces is refused as it is in one"},
    {"another name in a list in one", "a list in pieces has the names of one"},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
bool __wrap_fh_list_add(fh_list *list, const char *name);
bool __real_fh_list_add(fh_list *list, const char *name);
fh_list_status __wrap_fh_list_feed_end(fh_list *list, char separator);
fh_list_status __real_fh_list_feed_end(fh_list *list, char separator);
fh_exit __wrap_fh_list_read(fh_list *list, const char *command, const char *path, char separator);
fh_exit __real_fh_list_read(fh_list *list, const char *command, const char *path, char separator);
bool __wrap_fh_list_unique(fh_list *list);
bool __real_fh_list_unique(fh_list *list);
void __wrap_fh_list_sort(fh_list *list);
void __real_fh_list_sort(fh_list *list);
void __wrap_fh_list_cut_columns(fh_list *list, size_t first);
void __real_fh_list_cut_columns(fh_list *list, size_t first);

/* The order in which the target feeds lists of one input to their ends; one that is refused does
 * not come to it. */
enum { IN_PIECES = 1, IN_ONE, WRITTEN };
static unsigned num_fed;

static void add(fh_list *list, const char *name)
{
    fuzz_demand(__real_fh_list_add(list, name), "there is room for another name");
}

/* Where there are names: their first one is another one, or there is one more. */
static void spoil(fh_list *list, bool changes, bool adds)
{
    if (list->num_names > 0 && changes) {
        list->names[0][0] ^= 1;
    }
    if (list->num_names > 0 && adds) {
        add(list, "more");
    }
}

bool __wrap_fh_list_add(fh_list *list, const char *name)
{
    return !faulty_is("name without memory") && __real_fh_list_add(list, name);
}

fh_list_status __wrap_fh_list_feed_end(fh_list *list, char separator)
{
    const fh_list_status status = __real_fh_list_feed_end(list, separator);
    num_fed++;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    if (num_fed == IN_PIECES) {
        spoil(list, faulty_is("another name"), faulty_is("name too many"));
        return faulty_is("list that is refused") ? FH_LIST_ZERO : status;
    }
    if (num_fed == IN_ONE) {
        spoil(list, faulty_is("another name in a list in one"), false);
        return faulty_is("list in one that is refused") ? FH_LIST_ZERO : status;
    }
    spoil(list, faulty_is("another name in a written list"), false);
    return faulty_is("written list that is refused") ? FH_LIST_ZERO : status;
}

/* What is wrong with the list itself is wrong with that of the file, too. */
fh_exit __wrap_fh_list_read(fh_list *list, const char *command, const char *path, char separator)
{
    if (faulty_is("refusal that is not told") && num_fed == 0) {
        return FH_EXIT_USAGE;
    }
    if (faulty_is("complaint of two lines")) {
        fh_complain("two\nlines");
    }
    const fh_exit exit = __real_fh_list_read(
        list, faulty_is("use of another command") ? "scan" : command, path, separator);
    spoil(list, faulty_is("another name") || faulty_is("another name in a file"),
          faulty_is("name too many") || faulty_is("name too many in a file"));
    if (faulty_is("refusal that is told twice") && exit != FH_EXIT_OK) {
        fh_complain("once more");
    }
    return faulty_is("file that is taken")     ? FH_EXIT_OK
           : faulty_is("file that is refused") ? FH_EXIT_USAGE
                                               : exit;
}

bool __wrap_fh_list_unique(fh_list *list)
{
    if (faulty_is("name that stays twice")) {
        return true;
    }
    const bool is_done = __real_fh_list_unique(list);
    if (faulty_is("name that comes back")) {
        add(list, list->names[0]);
    }
    return is_done;
}

void __wrap_fh_list_sort(fh_list *list)
{
    __real_fh_list_sort(list);
    char **last = &list->names[list->num_names - 1];
    if (faulty_is("order that falls")) {
        char *first = list->names[0];
        list->names[0] = *last;
        *last = first;
    }
    if (faulty_is("name that the order loses")) {
        free(*last);
        list->num_names--;
    }
    if (faulty_is("names that the order adds")) {
        add(list, "y");
        add(list, "z");
    }
}

void __wrap_fh_list_cut_columns(fh_list *list, size_t first)
{
    if (!faulty_is("table that is not cut")) {
        __real_fh_list_cut_columns(list, first);
    }
    spoil(list, false, faulty_is("line too many in a table"));
}

static void feed(const uint8_t *bytes, size_t len)
{
    num_fed = 0;
    (void)LLVMFuzzerTestOneInput(bytes, len);
}

static void run(char **files)
{
    /* Lines of a table, in pieces of four bytes; and a name with a zero in it. */
    static const uint8_t table[] = "\x0e"
                                   "b/c\tx\na\nb/c\tx\nc\n";
    static const uint8_t zero[] = "\0a\0b\n";
    (void)files;
    feed(table, sizeof table - 1);
    feed(zero, sizeof zero - 1);
}

int main(int argc, char **argv)
{
    /* The folder is made here, and removed when this process ends: those with faults abort. */
    char path[FUZZ_PATH_LEN];
    (void)fuzz_folder_path(path, "list");
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
