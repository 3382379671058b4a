/* Lists the assets in files, their findings, and the first row of their poses.
 *
 *     cc list_assets.c -o list_assets $(pkg-config --cflags --libs framehound)
 *     ./list_assets disc.bin walk.tod
 *
 * A name that begins with "check:" is checked instead of searched: check:walk.tod is to be an asset
 * from its first byte on. The exit code is 1 if there was an error, 2 if something was not done.
 */
#include <framehound/framehound.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct listing {
    int num_errors;
    int64_t num_rows; /* of poses of the asset that was told last */
} listing;

/* What comes from input may hold any byte. */
static void print_safely(const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < 32 || byte > 126) {
            printf("\\x%02x", byte);
        } else {
            putchar(byte);
        }
    }
}

static int on_asset(void *user, const framehound_asset *asset)
{
    listing *list = user;
    list->num_rows = 0;
    print_safely(asset->source);
    printf("@0x%" PRIx64 ": %s, %" PRId64 " bytes, %s, replay %s", asset->raw_offset, asset->format,
           asset->length, framehound_grade_name(asset->grade),
           framehound_replay_name(asset->replay));
    if (asset->iso_path != NULL) {
        printf(", in ");
        print_safely(asset->iso_path);
    }
    printf("\n");
    return 0;
}

static int on_pose(void *user, const framehound_pose *pose)
{
    listing *list = user;
    if (list->num_rows++ == 0) {
        printf("  poses begin with %s:", pose->table);
        for (size_t i = 0; i < pose->num_columns && i < 4; i++) {
            if (pose->columns[i].type == FRAMEHOUND_COLUMN_REAL) {
                printf(" %s %g", pose->columns[i].name, pose->values[i].r);
            } else if (pose->values[i].i != FRAMEHOUND_UNKNOWN) {
                printf(" %s %" PRId64, pose->columns[i].name, pose->values[i].i);
            }
        }
        printf("\n");
    }
    return 0;
}

static int on_finding(void *user, const framehound_finding *finding)
{
    listing *list = user;
    list->num_errors += finding->severity >= FRAMEHOUND_ERROR;
    if (finding->severity >= FRAMEHOUND_WARNING) {
        printf("  %s %s: ", framehound_severity_name(finding->severity), finding->code);
        print_safely(finding->message);
        printf("\n");
    }
    return 0;
}

static int on_source(void *user, const framehound_source *source)
{
    (void)user;
    print_safely(source->path);
    printf(": %s, %s\n", source->kind, source->status);
    return 0;
}

/* Not 0: something was not done. */
static int list_one(framehound *hound, const framehound_sink *sink, const char *name)
{
    static const char check[] = "check:";
    const int is_check = strncmp(name, check, strlen(check)) == 0;
    const framehound_status status = is_check
                                         ? framehound_check_file(hound, name + strlen(check), sink)
                                         : framehound_scan_file(hound, name, sink);
    if (status != FRAMEHOUND_OK) {
        fprintf(stderr, "%s: %s\n", framehound_status_name(status), framehound_error(hound));
    }
    return status != FRAMEHOUND_OK;
}

int main(int argc, char **argv)
{
    listing list = {0, 0};
    framehound *hound = NULL;
    framehound_sink sink = {.size = sizeof sink,
                            .user = &list,
                            .source = on_source,
                            .asset = on_asset,
                            .finding = on_finding,
                            .pose = on_pose};
    const framehound_options options = {.size = sizeof options, .flags = FRAMEHOUND_CHANGES_ONLY};
    int left_undone = 0;
    if (argc < 2 || framehound_new(&hound, &options) != FRAMEHOUND_OK) {
        fprintf(stderr, "Usage: %s [check:]FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        left_undone |= list_one(hound, &sink, argv[i]);
    }
    framehound_free(hound);
    return left_undone ? 2 : list.num_errors > 0;
}
