#include "html_list.h"

#include <stdio.h>
#include <stdlib.h>

bool fh_html_list_begin(fh_html_list *list)
{
    *list = (fh_html_list){.text = NULL};
    return fh_out_to_memory(&list->out, &list->text, &list->len);
}

void fh_html_list_next(fh_html_list *list)
{
    fh_out_str(&list->out, list->num == 0 ? "" : ",\n");
    list->num++;
}

bool fh_html_list_end(fh_html_list *list, fh_out *out, const char *name)
{
    bool is_whole = list->out.file != NULL && fh_out_end(&list->out) == 0;
    if (list->out.file != NULL) {
        is_whole = fclose(list->out.file) == 0 && is_whole && list->text != NULL;
    }
    fh_out_fmt(out, ",\"%s\":[", name);
    if (is_whole && !list->is_dropped) {
        fh_out_bytes(out, list->text, list->len);
    }
    fh_out_str(out, "]");
    free(list->text);
    return is_whole;
}
