package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void writesWhatAJsonLibraryReadsBack() throws Exception {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("text \"quoted\"", "back\\slash, tab\t, line\n, bell\u0007, ünïcödé \ud83d\ude00");
        object.put("list", List.of(1, true, List.of(), Map.of()));
        object.put("number", 1L << 60);

        Map<?, ?> read = new ObjectMapper().readValue(Json.of(object), Map.class);

        assertThat(read).isEqualTo(object);
    }
}
